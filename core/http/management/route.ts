// One row of the management surface: what it takes, what it gives, and which operation it leads to. The listener, the
// tests and docs/rest.md are made of these rows.
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { Clock } from '../../clock'
import type { Operations } from '../../contract/operations'
import type { ClientKey } from '../client-keys'
import type { EndpointRoute } from '../router'

/** What the rows lead to. */
export interface ManagementCore {
  readonly operations: Operations
  readonly clock: Clock
  /** A client key made in this run, in clear: for the answer that makes it, and for no other. */
  readonly plainKey: (keyId: string) => string | null
  /** The configuration file, without keys. */
  readonly exportConfig: () => string
  /** @throws GatewayError 400 whose message begins with the path of the fault */
  readonly importConfig: (text: string) => Promise<void>
  readonly redact: (text: string) => string
}

export interface Asked<Body, Query> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** null only where the row is open. */
  readonly key: ClientKey | null
  readonly headers: IncomingHttpHeaders
}

export interface ManagementRoute<Body = unknown, Query = unknown> {
  readonly method: EndpointRoute['method']
  /** "/api/providers/{id}" */
  readonly path: string
  /** Answers without a key. */
  readonly open?: true
  /** One or two sentences for docs/rest.md. */
  readonly about: string
  /** Of the address; strict. Without it none is taken. */
  readonly query?: z.ZodType<Query>
  /** Of the body; strict. Without it none is taken. */
  readonly body?: z.ZodType<Body>
  /** 200 where it says nothing. */
  readonly status?: 201
  readonly answer: z.ZodType
  /** Errors are `{"error": "…"}`, as the scripts that know this path expect them. */
  readonly plainErrors?: true
  run(asked: Asked<Body, Query>, core: ManagementCore): Promise<unknown>
}

/** Ties the types of a row's body and query to what it does with them. */
export const route = <Body = undefined, Query = Readonly<Record<string, never>>>(
  row: ManagementRoute<Body, Query>,
): ManagementRoute => row
