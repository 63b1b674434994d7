// The channel of a call or push: prefixed, so that none can be mistaken for one of Electron's own.
import type { AnyPushName, CallName } from '../core/contract/ipc'

export const callChannel = (name: CallName): string => `call:${name}`
export const pushChannel = (name: AnyPushName): string => `push:${name}`
