// Asks for a code that a person enters on another page or device (RFC 8628 3.1).
import { endpointUrl } from './endpoint-url'
import type { OAuthClient } from './login'
import { errorCode, excerpt, fieldsOf, seconds } from './token-answer'
import { type EndpointCalls, postForm } from './token-endpoint'

export interface DeviceCode {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  /** With the user code in it; null where the server gives none. */
  readonly verificationUriComplete: string | null
  readonly expiresInMs: number
  readonly intervalMs: number
}

export type DeviceCodeAnswer = DeviceCode | { readonly message: string }

const DEFAULT_INTERVAL_S = 5
const LONGEST_INTERVAL_S = 300
const DEFAULT_LIFETIME_S = 900
const LONGEST_LIFETIME_S = 3_600

/** Never rejects: a failure is a message. */
export async function askForDeviceCode(
  client: OAuthClient,
  deviceUrl: string,
  scopes: readonly string[],
  calls: EndpointCalls,
): Promise<DeviceCodeAnswer> {
  const form = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
  const answer = await postForm(client, deviceUrl, form, calls)
  if ('why' in answer) return { message: answer.why }
  const read = readDeviceCode(answer.status, answer.text)
  return 'message' in read ? { message: calls.redact(read.message) } : read
}

export function readDeviceCode(status: number, text: string): DeviceCodeAnswer {
  const fields = fieldsOf(text)
  const code = errorCode(fields)
  if (status >= 300 || code !== null) {
    const said = typeof fields.error_description === 'string' ? ` (${excerpt(fields.error_description)})` : ''
    return { message: `The provider gave no code: ${code ?? `it answered ${status}`}${said}.` }
  }
  // Some servers call it verification_url.
  const verificationUri = pageOf(fields.verification_uri ?? fields.verification_url)
  const { device_code: deviceCode, user_code: userCode } = fields
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || deviceCode === '' || verificationUri === null)
    return { message: 'The provider’s answer holds no code or no page to enter it on. Check the device address.' }
  return {
    deviceCode,
    userCode: excerpt(userCode),
    verificationUri,
    verificationUriComplete: pageOf(fields.verification_uri_complete),
    expiresInMs: Math.min(seconds(fields.expires_in) ?? DEFAULT_LIFETIME_S, LONGEST_LIFETIME_S) * 1000,
    intervalMs: Math.min(seconds(fields.interval) ?? DEFAULT_INTERVAL_S, LONGEST_INTERVAL_S) * 1000,
  }
}

/** Only what is safe to open in a browser. */
function pageOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  try {
    return endpointUrl(value, '')
  } catch {
    return null
  }
}
