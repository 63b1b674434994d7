// Content of Chat messages from canonical parts.
import { badInput } from '../../errors'
import type { JsonObject, MediaPart, TextPart } from '../canonical'

/** Texts alone become one text, for many servers take nothing else. @throws GatewayError 400 */
export function buildContent(parts: readonly (TextPart | MediaPart)[]): string | readonly JsonObject[] {
  const texts = parts.filter((part) => part.kind === 'text')
  if (texts.length === parts.length) return joinTexts(texts)
  return parts.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : buildMedia(part)))
}

export const joinTexts = (parts: readonly { readonly text: string }[]): string =>
  parts.map(({ text }) => text).join('\n\n')

function buildMedia({ kind, media, name }: MediaPart): JsonObject {
  switch (kind) {
    case 'image': {
      const url = media.kind === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`
      return { type: 'image_url', image_url: { url } }
    }
    case 'document':
      if (media.kind === 'url') {
        throw badInput('messages', 'OpenAI Chat takes no document by its address. Send the document itself.')
      }
      if (media.mediaType.startsWith('text/')) return textDocument(media.data, name)
      return {
        type: 'file',
        file: {
          filename: name ?? fileName(media.mediaType),
          file_data: `data:${media.mediaType};base64,${media.data}`,
        },
      }
    case 'audio': {
      if (media.kind === 'url') {
        throw badInput('messages', 'OpenAI Chat takes no sound by its address. Send the sound itself.')
      }
      const format = AUDIO_FORMATS.get(media.mediaType)
      if (format === undefined) {
        throw badInput('messages', `OpenAI Chat takes sound as WAV or MP3 only, not as ${media.mediaType}.`)
      }
      return { type: 'input_audio', input_audio: { data: media.data, format } }
    }
  }
}

const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/vnd.wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
])

/** Chat reads files of other kinds; plain text is simply text. */
function textDocument(data: string, name: string | null): JsonObject {
  const text = Buffer.from(data, 'base64').toString('utf8')
  return { type: 'text', text: name === null ? text : `${name}:\n${text}` }
}

const fileName = (mediaType: string): string => (mediaType === 'application/pdf' ? 'document.pdf' : 'document')
