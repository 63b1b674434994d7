// inlineData and fileData → images, documents and sound.
import { badInput } from '../../errors'
import type { JsonObject, MediaPart } from '../canonical'
import { maybeString, needString } from '../json'
import { messageOf } from './members'

/** null where the part is of another kind. @throws GatewayError 400 */
export function parseMedia(part: JsonObject, field: string): MediaPart | null {
  if (part.inlineData !== undefined && part.inlineData !== null) {
    const at = `${field}.inlineData`
    const { mimeType, data, displayName } = messageOf(part.inlineData, at)
    const mediaType = needString(mimeType, `${at}.mimeType`)
    const media = { kind: 'base64', mediaType, data: standardBase64(needString(data, `${at}.data`)) } as const
    return { kind: kindOf(mediaType, `${at}.mimeType`), media, name: maybeString(displayName, `${at}.displayName`) }
  }
  if (part.fileData !== undefined && part.fileData !== null) {
    const at = `${field}.fileData`
    const { mimeType, fileUri, displayName } = messageOf(part.fileData, at)
    const url = needString(fileUri, `${at}.fileUri`)
    if (!/^https?:/i.test(url) || GOOGLE_FILE.test(url)) {
      throw badInput(
        `${at}.fileUri`,
        'only Google can read this file. Send its content as inlineData, or a public URL.',
      )
    }
    const mediaType = maybeString(mimeType, `${at}.mimeType`) ?? typeOfUrl(url)
    const kind = mediaType === null ? 'document' : kindOf(mediaType, `${at}.mimeType`)
    return { kind, media: { kind: 'url', url, mediaType }, name: maybeString(displayName, `${at}.displayName`) }
  }
  return null
}

const GOOGLE_FILE = /^https:\/\/generativelanguage\.googleapis\.com\/|^https:\/\/(?:www\.)?youtu(?:be\.com|\.be)\//i

/** Google takes the URL-safe alphabet too; other APIs do not. */
const standardBase64 = (data: string): string =>
  /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data

function kindOf(mediaType: string, field: string): MediaPart['kind'] {
  if (mediaType.startsWith('image/')) return 'image'
  if (mediaType.startsWith('audio/')) return 'audio'
  if (mediaType.startsWith('video/')) {
    throw badInput(field, 'video cannot be carried to this model. Choose a model of a provider that speaks Gemini.')
  }
  return 'document'
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
}

/** By the ending of the URL's path; null where it says nothing. */
export function typeOfUrl(url: string): string | null {
  const ending = /^[^?#]*\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase()
  return ending !== undefined && Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? null) : null
}
