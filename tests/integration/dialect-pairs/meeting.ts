// A client before an upstream, with or without a gateway between them; and how a test tells why the upstream would not
// have what it got.
import type { Dialect } from '../../../core/contract/kinds'
import type { FakeUpstream } from '../../support/fake-upstream'
import type { Client, ClientKind } from './clients/client'

export interface Meeting {
  readonly kind: ClientKind
  readonly upstream: Dialect
  readonly stream: boolean
  client(): Client
  fake(): FakeUpstream
  /** The name to ask for: a strict model of the upstream, of its own for every test. */
  model(scenario: string): string
}

export const MODES = [
  { mode: 'whole', stream: false },
  { mode: 'streamed', stream: true },
] as const

/** What the upstream is asked for: "x" of "provider/x". */
export const bareModel = (model: string): string => model.slice(model.indexOf('/') + 1)

/** Does `work`; where it fails because the strict upstream refused a request, the error says what it found. */
export async function telling<T>(fake: FakeUpstream, work: () => Promise<T>): Promise<T> {
  const before = (await fake.refusals()).length
  try {
    return await work()
  } catch (error) {
    const refusals = (await fake.refusals()).slice(before)
    throw refusals.length === 0 ? error : new Error(`the upstream refused ${refusals.join('; ')}`, { cause: error })
  }
}
