import type { IpcError } from '../../core/contract/ipc'
import { sentence } from './sentence'

/** The sentence for a place right next to the field: without the field's name in front of it. */
export function messageAtField({ field, message }: IpcError): string {
  const prefix = field === null ? '' : `${field}: `
  const rest = prefix !== '' && message.startsWith(prefix) ? message.slice(prefix.length) : message
  return sentence(rest)
}
