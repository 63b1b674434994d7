// What a page of ours may load and run. No 'unsafe-inline': the one style tag that a library inserts gets the nonce.
import { randomBytes } from 'node:crypto'

export const createNonce = (): string => randomBytes(16).toString('base64url')

export const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The development server inserts its own scripts and styles, and reloads over a web socket. */
export const developmentPolicy = (origin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
  ].join('; ')
