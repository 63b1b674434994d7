// Gemini streams two ways: as server-sent events where the URL says alt=sse, else as one JSON array whose elements
// arrive over time. The gateway makes the first; this puts it into the second.

export interface ArrayStream {
  /** `events`: whole server-sent events as the dialect's writer gives them. */
  write(events: string): string
  /** One element, as JSON text. */
  element(json: string): string
  /** Closes the array; an empty one where nothing came. */
  end(): string
}

export function createArrayStream(): ArrayStream {
  let isOpen = false
  const element = (json: string): string => {
    const before = isOpen ? ',\n' : '['
    isOpen = true
    return before + json
  }
  return {
    element,
    write(events) {
      let text = ''
      for (const event of events.split(/\r?\n\r?\n/)) {
        const data = dataOf(event)
        if (data !== '') text += element(data)
      }
      return text
    },
    end: () => (isOpen ? ']' : '[]'),
  }
}

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n')
