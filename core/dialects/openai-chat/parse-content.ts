// Content of Chat messages: a text, or a list of text, image, sound, file and refusal parts.
import { badInput } from '../../errors'
import type { JsonObject, Media, MediaPart, Part, TextPart } from '../canonical'
import { maybeString, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { noteOthers } from './notes'

/** `at`: path of the content. Absent, null and empty content have no parts. @throws GatewayError 400 */
export function parseContent(content: unknown, at: string, notes: FieldNotes): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) throw badInput(at, 'must be a text or a list of parts.')
  return content.flatMap((part, i) => parsePart(needObject(part, `${at}[${i}]`), `${at}[${i}]`, notes))
}

/** Content of a system message, which may hold texts only. @throws GatewayError 400 */
export function parseTexts(content: unknown, at: string, notes: FieldNotes): readonly TextPart[] {
  const parts = parseContent(content, at, notes)
  return parts.map((part) => {
    if (part.kind !== 'text') throw badInput(at, 'may hold only text here.')
    return part
  })
}

const KNOWN = new Set(['type', 'text', 'refusal', 'image_url', 'input_audio', 'file', 'thinking'])

function parsePart(part: JsonObject, at: string, notes: FieldNotes): readonly Part[] {
  noteOthers(part, KNOWN, 'messages[].content[].', notes)
  switch (part.type) {
    case 'text': {
      const text = needString(part.text, `${at}.text`)
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    case 'refusal': {
      const text = needString(part.refusal, `${at}.refusal`)
      return text === '' ? [] : [{ kind: 'refusal', text }]
    }
    case 'image_url':
      return [parseImage(part.image_url, `${at}.image_url`, notes)]
    case 'input_audio':
      return [parseAudio(needObject(part.input_audio, `${at}.input_audio`), `${at}.input_audio`)]
    case 'file':
      return [parseFile(needObject(part.file, `${at}.file`), `${at}.file`)]
    // Mistral's reasoning in the content of an earlier answer: no other side can use it.
    case 'thinking':
      return []
    default:
      throw badInput(`${at}.type`, 'must be text, image_url, input_audio, file or refusal.')
  }
}

function parseImage(value: unknown, at: string, notes: FieldNotes): MediaPart {
  if (typeof value === 'string') return { kind: 'image', media: mediaOf(value, at), name: null }
  const image = needObject(value, at)
  if (image.detail !== 'auto') noteOthers({ detail: image.detail }, new Set(), 'messages[].content[].image_url.', notes)
  return { kind: 'image', media: mediaOf(needString(image.url, `${at}.url`), `${at}.url`), name: null }
}

function parseAudio(audio: JsonObject, at: string): MediaPart {
  const data = needString(audio.data, `${at}.data`)
  const format = needString(audio.format, `${at}.format`)
  const media: Media = data.startsWith('data:')
    ? mediaOf(data, `${at}.data`)
    : { kind: 'base64', mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, data }
  return { kind: 'audio', media, name: null }
}

function parseFile(file: JsonObject, at: string): MediaPart {
  const name = maybeString(file.filename, `${at}.filename`)
  const data = maybeString(file.file_data, `${at}.file_data`)
  if (data === null) {
    throw badInput(
      file.file_id === undefined ? `${at}.file_data` : `${at}.file_id`,
      'A file uploaded to one provider is unknown to the others. Send its content as file_data.',
    )
  }
  const isAddress = data.startsWith('data:') || /^https?:/.test(data)
  const media: Media = isAddress
    ? mediaOf(data, `${at}.file_data`)
    : { kind: 'base64', mediaType: 'application/pdf', data }
  return { kind: media.mediaType?.startsWith('image/') ? 'image' : 'document', media, name }
}

/** An address or a data URL. @throws GatewayError 400 */
export function mediaOf(url: string, at: string): Media {
  if (!url.startsWith('data:')) return { kind: 'url', url, mediaType: null }
  const comma = url.indexOf(',')
  const [mediaType = '', ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (comma < 0 || !mediaType.includes('/')) throw badInput(at, 'must be data:<type>;base64,<bytes> or an address.')
  const data = url.slice(comma + 1)
  if (parameters.includes('base64')) return { kind: 'base64', mediaType, data }
  return { kind: 'base64', mediaType, data: Buffer.from(percentDecoded(data, at)).toString('base64') }
}

function percentDecoded(text: string, at: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badInput(at, 'holds a percent sign that is no escape.')
  }
}
