import { randomBytes } from 'node:crypto'

/** Short, unguessable, safe in a URL: "con_9f3a…". */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`
