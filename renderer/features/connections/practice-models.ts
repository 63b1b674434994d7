/** What the practice provider's models do. The core keeps the same list; a test holds the two together. */
export const PRACTICE_MODELS: readonly { readonly id: string; readonly shows: string }[] = [
  { id: 'echo', shows: 'Streams your prompt back, word by word.' },
  { id: 'flaky', shows: 'Fails every second time on the first connection; the second one answers.' },
  { id: 'slow', shows: 'Thinks for 3 seconds, then speaks slowly.' },
  { id: 'rate-limited', shows: 'Too many requests (429) on the first connection; the second one answers.' },
  { id: 'down', shows: 'Server error (503) on the first connection; the second one answers.' },
  { id: 'outage', shows: 'Server error (503) on both: a whole provider is down.' },
  {
    id: 'cut',
    shows: 'Breaks off after five words. Words you have seen are never repeated, so the stream ends with an error.',
  },
]
