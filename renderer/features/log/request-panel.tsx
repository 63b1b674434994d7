import { useEffect, useState } from 'react'
import type { RequestView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { CopyIcon } from '../../app/copy'
import { fromAnswer, type Loadable, loading, NONE, ready, valueOr } from '../../app/loadable'
import { OUTCOME_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { dialectWords, outcomeSentence, tokenWords } from '../../app/request-words'
import { useUi } from '../../app/ui-state'
import { SidePanel } from '../../ui/side-panel'
import { StateBadge } from '../../ui/state-shape'
import { duration, exactTime } from '../../ui/time'
import { Waiting } from '../../ui/waiting'
import { Attempts } from './attempts'
import { useLog } from './log-store'

const findShown = (id: string): RequestView | null =>
  useLog.getState().rows.find((row) => row.id === id) ??
  valueOr(usePushed.getState().recent, NONE).find((row) => row.id === id) ??
  null

/** One request, from the rows at hand or, where it is older than those, from the log. */
function useRequest(id: string): Loadable<RequestView | null> {
  const [found, setFound] = useState<{ readonly id: string; readonly request: Loadable<RequestView | null> } | null>(
    null,
  )
  const shown = findShown(id)
  useEffect(() => {
    if (findShown(id) !== null) return
    let current = true
    void call('log:list', { search: id, limit: 1 }).then((answer) => {
      if (!current) return
      const loaded = fromAnswer(answer)
      setFound({ id, request: loaded.at === 'ready' ? ready(loaded.value[0] ?? null) : loaded })
    })
    return () => {
      current = false
    }
  }, [id])
  if (shown !== null) return ready(shown)
  return found?.id === id ? found.request : loading
}

export function RequestPanel({ id }: { readonly id: string }) {
  const request = useRequest(id)
  return (
    <SidePanel title="Request" subject={id} onClose={() => useUi.setState({ openRequest: null })}>
      {request.at === 'loading' && <Waiting forWhat="the request" bars={6} />}
      {request.at === 'failed' && <p className="muted">{request.error.message}</p>}
      {request.at === 'ready' &&
        (request.value === null ? (
          <p className="muted">This request is not in the log any more.</p>
        ) : (
          <RequestDetails request={request.value} />
        ))}
    </SidePanel>
  )
}

export function RequestDetails({ request }: { readonly request: RequestView }) {
  const tokens = tokenWords(request)
  return (
    <div className="stack stack--loose">
      <div className="stack stack--tight">
        <div className="line line--wrap">
          <StateBadge look={OUTCOME_LOOKS[request.outcome]} />
          <code className="request__model">{request.model}</code>
        </div>
        <p>{outcomeSentence(request)}</p>
      </div>
      <section className="stack" aria-label="The way it took">
        <h3>Attempts</h3>
        <Attempts attempts={request.attempts} />
      </section>
      <section className="stack" aria-label="Facts">
        <h3>Facts</h3>
        <dl className="facts">
          <dt>At</dt>
          <dd>{exactTime(request.at)}</dd>
          <dt>Status</dt>
          <dd>
            {request.status}
            {request.code !== null && (
              <>
                {' '}
                <code>{request.code}</code>
              </>
            )}
          </dd>
          <dt>First byte</dt>
          <dd>{request.firstByteMs === null ? 'none' : duration(request.firstByteMs)}</dd>
          <dt>Total</dt>
          <dd>{duration(request.totalMs)}</dd>
          <dt>Tokens</dt>
          <dd>{tokens === '' ? 'not told by the provider' : tokens}</dd>
          <dt>From</dt>
          <dd>
            {request.tool}, key {request.clientKey}
          </dd>
          <dt>Asked</dt>
          <dd>
            <code>{request.endpoint}</code> ({dialectWords(request.dialect)}
            {request.stream ? ', streamed' : ''})
          </dd>
          <dt>Id</dt>
          <dd className="line">
            <code className="truncate">{request.id}</code>
            <CopyIcon what={{ what: 'text', text: request.id }} label="Copy request id" />
          </dd>
        </dl>
      </section>
    </div>
  )
}
