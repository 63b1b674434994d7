// AES-256-GCM for secrets at rest: nonce, tag and text in one run of bytes.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

export function sealWith(key: Buffer, plain: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** null when the bytes were sealed with another key, or were changed. */
export function openWith(key: Buffer, data: Uint8Array): string | null {
  try {
    const bytes = Buffer.from(data)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    // Full length or nothing: a shortened tag would be easier to guess.
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Tells keys apart without saying anything about them. */
export const fingerprint = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 12)
