// Parts into content blocks. Throws 400 for what Anthropic has no block for.
import { badInput } from '../../errors'
import type { JsonObject, Media, MediaPart, TextPart, ToolCallPart } from '../canonical'
import { isObject, parseJson } from '../json'

/** Texts of nothing but white space are refused by the API. */
export const hasWords = (text: string): boolean => /\S/.test(text)

export const textBlocks = (text: string): JsonObject[] => (hasWords(text) ? [{ type: 'text', text }] : [])

/** The input of a tool call must be an object; a model's slip is kept, so that it can see what it wrote. */
export function toolInput({ arguments: text, freeForm }: Pick<ToolCallPart, 'arguments' | 'freeForm'>): JsonObject {
  if (freeForm) return { input: text }
  const input = text === '' ? {} : parseJson(text)
  return isObject(input) ? input : { raw_arguments: text }
}

/** @throws GatewayError 400 */
export function shownBlocks(part: TextPart | MediaPart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return textBlocks(part.text)
    case 'image':
      return [{ type: 'image', source: imageSource(part.media) }]
    case 'document':
      return [documentBlock(part)]
    case 'audio':
      throw badInput(
        'messages',
        'hold a sound, and Anthropic models cannot hear. Send a transcript, or choose another.',
      )
  }
}

const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function imageSource(given: Media): JsonObject {
  const media = withoutDataUrl(given)
  if (media.kind === 'url') return { type: 'url', url: media.url }
  const mediaType = media.mediaType === 'image/jpg' ? 'image/jpeg' : media.mediaType
  if (!IMAGE_TYPES.has(mediaType)) {
    throw badInput('messages', `hold an image of type "${mediaType}". Anthropic takes JPEG, PNG, GIF and WebP.`)
  }
  return { type: 'base64', media_type: mediaType, data: media.data }
}

function documentBlock({ media: given, name }: MediaPart): JsonObject {
  const media = withoutDataUrl(given)
  return { type: 'document', source: documentSource(media), ...(name === null ? {} : { title: name }) }
}

function documentSource(media: Media): JsonObject {
  if (media.kind === 'url') return { type: 'url', url: media.url }
  if (media.mediaType === 'application/pdf') {
    return { type: 'base64', media_type: media.mediaType, data: media.data }
  }
  if (media.mediaType.startsWith('text/') || media.mediaType === 'application/json') {
    return { type: 'text', media_type: 'text/plain', data: Buffer.from(media.data, 'base64').toString('utf8') }
  }
  throw badInput('messages', `hold a document of type "${media.mediaType}". Anthropic takes PDF and plain text.`)
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i

/** A data URL that came as a URL is the bytes themselves. */
function withoutDataUrl(media: Media): Media {
  if (media.kind !== 'url') return media
  const head = DATA_URL.exec(media.url.slice(0, 200))
  if (head === null) return media
  return { kind: 'base64', mediaType: head[1] || media.mediaType || '', data: media.url.slice(head[0].length) }
}
