// The content of messages and tool results, from the Responses form.
import { badInput } from '../../errors'
import type { JsonObject, Media, MediaPart, RefusalPart, TextPart } from '../canonical'
import { maybeString, needArray, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'

export type ContentPart = TextPart | MediaPart | RefusalPart

/** A text or a list of parts; empty texts are left out. @throws GatewayError 400 naming the part */
export function parseContent(content: unknown, path: string, notes: FieldNotes): ContentPart[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return textParts(content)
  return needArray(content, path).flatMap((part, index) => {
    const at = `${path}[${index}]`
    return parsePart(needObject(part, at), at, notes)
  })
}

export const textParts = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'text', text }])

function parsePart(part: JsonObject, path: string, notes: FieldNotes): ContentPart[] {
  if (part.prompt_cache_breakpoint !== undefined) notes.dropped('input[].content[].prompt_cache_breakpoint')
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return textParts(needString(part.text, `${path}.text`))
    case 'refusal': {
      const text = needString(part.refusal, `${path}.refusal`)
      return text === '' ? [] : [{ kind: 'refusal', text }]
    }
    case 'input_image':
      return [parseImage(part, path, notes)]
    case 'input_file':
      return [parseFile(part, path)]
    case 'input_audio':
      return [parseAudio(needObject(part.input_audio, `${path}.input_audio`), `${path}.input_audio`)]
    default:
      throw badInput(
        `${path}.type`,
        'must be input_text, output_text, refusal, input_image, input_file or input_audio.',
      )
  }
}

function parseImage(part: JsonObject, path: string, notes: FieldNotes): MediaPart {
  refuseStoredFile(part, path, 'image_url')
  if (part.detail !== undefined && part.detail !== null && part.detail !== 'auto')
    notes.dropped('input[].content[].detail')
  const url = needString(part.image_url, `${path}.image_url`)
  return { kind: 'image', media: parseUrl(url, `${path}.image_url`), name: null }
}

function parseFile(part: JsonObject, path: string): MediaPart {
  refuseStoredFile(part, path, 'file_data')
  const name = maybeString(part.filename, `${path}.filename`)
  const url = maybeString(part.file_url, `${path}.file_url`)
  if (url !== null) return { kind: 'document', media: parseUrl(url, `${path}.file_url`), name }
  const data = needString(part.file_data, `${path}.file_data`)
  // The API takes a data URL as well as bare base64.
  const media: Media = data.startsWith('data:')
    ? parseUrl(data, `${path}.file_data`)
    : { kind: 'base64', mediaType: mediaTypeOf(name), data }
  return { kind: 'document', media, name }
}

function refuseStoredFile(part: JsonObject, path: string, instead: string): void {
  if (part.file_id === undefined || part.file_id === null) return
  throw badInput(`${path}.file_id`, `a file stored at OpenAI can be read there only. Send its content in ${instead}.`)
}

function parseAudio(audio: JsonObject, path: string): MediaPart {
  const format = needString(audio.format, `${path}.format`)
  const data = needString(audio.data, `${path}.data`)
  return {
    kind: 'audio',
    media: { kind: 'base64', mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, data },
    name: null,
  }
}

/** @throws GatewayError 400 for a data URL that is not base64 */
export function parseUrl(url: string, path: string): Media {
  if (!url.startsWith('data:')) {
    if (/^https?:\/\/./i.test(url)) return { kind: 'url', url, mediaType: null }
    throw badInput(path, 'must be a data URL or begin with https://.')
  }
  const comma = url.indexOf(',')
  const head = url.slice('data:'.length, comma)
  if (comma < 0 || !/;base64$/i.test(head)) throw badInput(path, 'must be a data URL in base64.')
  const mediaType = head.slice(0, head.search(/[;]/)).toLowerCase() || 'application/octet-stream'
  return { kind: 'base64', mediaType, data: url.slice(comma + 1) }
}

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['html', 'text/html'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
])

/** Documents without a stated type are PDF, the one every provider reads, unless their name says otherwise. */
const mediaTypeOf = (name: string | null): string =>
  MEDIA_TYPES.get((name ?? '').split('.').at(-1)?.toLowerCase() ?? '') ?? 'application/pdf'
