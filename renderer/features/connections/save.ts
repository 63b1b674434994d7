// What the connection pages do to the core, and what they put in the store before the push arrives.
import type { IpcAnswer } from '../../../core/contract/ipc'
import type { ConnectionView, FoundServer, ProviderView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { ready, valueOr } from '../../app/loadable'
import { setPushed, usePushed } from '../../app/pushed'
import { useUi } from '../../app/ui-state'
import { showToast } from '../../ui/toast-store'
import { customDialect, type Draft, freeName, toAdd } from './draft'
import { withConnection, withoutConnection } from './provider-list'

const UNDO_MS = 8000

const change = (how: (providers: readonly ProviderView[]) => readonly ProviderView[]): void => {
  const known = valueOr(usePushed.getState().providers, null)
  if (known !== null) setPushed({ providers: ready(how(known)) })
}

export function adoptConnection(connection: ConnectionView): void {
  change((providers) => withConnection(providers, connection))
}

export function adoptProvider(provider: ProviderView): void {
  change((providers) => (providers.some(({ id }) => id === provider.id) ? providers : [...providers, provider]))
}

interface Added {
  readonly answer: IpcAnswer<ConnectionView>
  /** The draft as it should go on: a custom endpoint that was added is a provider now. */
  readonly draft: Draft
}

/** Adds the endpoint first where it is a custom one, then the connection. */
export async function addConnection(draft: Draft): Promise<Added> {
  const dialect = customDialect(draft.provider)
  let next = draft
  if (dialect !== null) {
    const provider = await call('providers:add', { label: draft.label.trim(), dialect, baseUrl: draft.baseUrl.trim() })
    if (!provider.ok) return { answer: provider, draft }
    adoptProvider(provider.value)
    next = { ...draft, provider: provider.value.id, baseUrl: '' }
  }
  const answer = await call('connections:add', toAdd(next, next.provider))
  if (answer.ok) adoptConnection(answer.value)
  return { answer, draft: next }
}

/** A server found on this machine, as it is. */
export async function connectFound(
  { provider: id, baseUrl }: FoundServer,
  providers: readonly ProviderView[],
): Promise<IpcAnswer<ConnectionView>> {
  const provider = providers.find((each) => each.id === id)
  const taken = provider?.connections.map(({ name }) => name) ?? []
  const usual = provider?.baseUrl === baseUrl
  const answer = await call('connections:add', {
    ...{ provider: id, name: freeName('main', taken) },
    ...(usual ? {} : { baseUrl }),
  })
  if (answer.ok) adoptConnection(answer.value)
  return answer
}

export async function setEnabled(connection: ConnectionView, enabled: boolean): Promise<void> {
  adoptConnection({ ...connection, enabled })
  const answer = await call('connections:update', { id: connection.id, enabled })
  adoptConnection(answer.ok ? answer.value : connection)
  if (!answer.ok) showToast({ text: answer.error.message, bad: true })
}

/** Gone at once; can be taken back for eight seconds. */
export async function removeConnection(connection: ConnectionView, providerLabel: string): Promise<void> {
  const answer = await call('connections:remove', { id: connection.id })
  if (!answer.ok) return showToast({ text: answer.error.message, bad: true })
  useUi.setState({ connectionPanel: null })
  change((providers) => withoutConnection(providers, connection.id))
  showToast({
    text: `Deleted connection ${connection.name} of ${providerLabel}.`,
    forMs: UNDO_MS,
    action: { label: 'Undo', run: () => void restore(connection.id) },
  })
}

async function restore(id: string): Promise<void> {
  const answer = await call('connections:restore', { id })
  if (answer.ok) adoptConnection(answer.value)
  else showToast({ text: answer.error.message, bad: true })
}

export async function removeProvider(provider: ProviderView): Promise<void> {
  const answer = await call('providers:remove', { id: provider.id })
  if (!answer.ok) return showToast({ text: answer.error.message, bad: true })
  change((providers) => providers.filter(({ id }) => id !== provider.id))
  const { id, label, dialect, baseUrl } = provider
  showToast({
    text: `Deleted endpoint ${label}.`,
    forMs: UNDO_MS,
    action: {
      label: 'Undo',
      run: () =>
        void call('providers:add', { id, label, dialect, baseUrl }).then((again) => {
          if (again.ok) adoptProvider(again.value)
          else showToast({ text: again.error.message, bad: true })
        }),
    },
  })
}
