// What the pipeline asks before an attempt and after a 401: the connection with a token that is good, its request
// headers already made. A connection without a sign-in is given back as it is, at once.
import type { Connection } from '../providers/registry'
import type { Access } from './login'

/** A connection that can be used now, or why not; `until`: when it may be tried again, null: not by itself. */
export type Ready = Connection | { readonly because: string; readonly until: number | null }

export interface Tokens {
  freshAccess(connectionId: string): Access | Promise<Access> | null
  refused(connectionId: string, token: string): Promise<string | null>
}

export interface Connections {
  find(connectionId: string): { readonly connection: Connection } | null
}

/** A promise only where a refresh must be waited for. */
export function freshConnection(
  connection: Connection,
  tokens: Pick<Tokens, 'freshAccess'>,
  connections: Connections,
): Ready | Promise<Ready> {
  if (connection.login === undefined) return connection
  const access = tokens.freshAccess(connection.id)
  if (access instanceof Promise) return access.then((later) => readyWith(later, connection, connections))
  return readyWith(access, connection, connections)
}

/** After a 401 for a token that looked valid: the connection with another token, for one more try; null: there is none. */
export async function afterRefusal(
  connection: Connection,
  tokens: Pick<Tokens, 'refused'>,
  connections: Connections,
): Promise<Connection | null> {
  if (connection.login === undefined || connection.apiKey === null) return null
  const token = await tokens.refused(connection.id, connection.apiKey)
  return token === null ? null : inForce(connection, connections)
}

function readyWith(access: Access | null, connection: Connection, connections: Connections): Ready {
  if (access?.kind === 'needs-sign-in') return { because: access.why, until: null }
  if (access?.kind === 'later') return { because: access.why, until: access.until }
  // The request may have begun with an older registry.
  return access?.accessToken === connection.apiKey ? connection : inForce(connection, connections)
}

const inForce = (connection: Connection, connections: Connections): Connection =>
  connections.find(connection.id)?.connection ?? connection
