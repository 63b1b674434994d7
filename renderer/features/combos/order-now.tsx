import { RotateCw } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ComboExplanation } from '../../../core/contract/combo-views'
import type { CallInput } from '../../../core/contract/ipc'
import { call } from '../../app/client'
import { fromAnswer, type Loadable, loading, NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { QuotaStrip } from '../../app/quota-strip'
import { sentence } from '../../app/sentence'
import { IconButton } from '../../ui/button'
import { Countdown } from '../../ui/countdown'
import { FieldError } from '../../ui/field'
import { StateShape } from '../../ui/state-shape'
import { Waiting } from '../../ui/waiting'
import { useCombos } from './combos-store'
import { type ExcludedTarget, type OrderedTarget, type Part, partsOf, scoreWords, targetName } from './order-words'

/** States of connections come with every request: the order is asked for again no more often than this. */
const PAUSE_MS = 1500

/** Whom the combo would ask now, and who is left out until when. */
export function OrderNow({ asked, note }: { readonly asked: Asked; readonly note: string }) {
  const { order, ask } = useOrder(asked)
  return (
    <section className="stack" aria-label="Order right now">
      <div className="line">
        <h3 className="grow">Order right now</h3>
        <IconButton label="Look again" onClick={ask}>
          <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <p className="small muted">{note}</p>
      {order.at === 'loading' && <Waiting forWhat="the order" />}
      {order.at === 'failed' && <FieldError message={order.error.message} />}
      {order.at === 'ready' && <Order {...order.value} />}
    </section>
  )
}

type Asked = CallInput<'combos:explain'>

function useOrder(asked: Asked): { readonly order: Loadable<ComboExplanation>; readonly ask: () => void } {
  const [order, setOrder] = useState<Loadable<ComboExplanation>>(loading)
  const changes = useCombos(({ changes }) => changes)
  const states = usePushed(({ providers }) =>
    valueOr(providers, NONE)
      .flatMap(({ connections }) => connections.map(({ id, state, until }) => `${id} ${state} ${until}`))
      .join(),
  )
  // What is typed makes a new draft with each key, though it may say the same.
  const what = JSON.stringify(asked)
  const latest = useRef(0)
  const askedAt = useRef(0)
  const ask = useCallback(() => {
    latest.current += 1
    const mine = latest.current
    askedAt.current = Date.now()
    void call('combos:explain', JSON.parse(what) as Asked).then((answer) => {
      if (mine === latest.current) setOrder(fromAnswer(answer))
    })
  }, [what])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the order depends on has changed
  useEffect(() => {
    const timer = setTimeout(ask, Math.max(0, askedAt.current + PAUSE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [ask, changes, states])
  return { order, ask }
}

function Order({ ordered, excluded, dropped }: ComboExplanation) {
  return (
    <>
      {ordered.length === 0 ? (
        <p className="line">
          <span className="state state--down">
            <StateShape shape="square" />
          </span>
          Nobody can be asked now.
        </p>
      ) : (
        <ol className="order" aria-label="Who is asked, in this order">
          {ordered.map((target, place) => (
            <Place key={keyOf(target, place)} {...{ target, place }} />
          ))}
        </ol>
      )}
      {excluded.length + dropped.length > 0 && (
        <ul className="order" aria-label="Left out">
          {excluded.map((target, place) => (
            <LeftOut key={keyOf(target, place)} target={target} />
          ))}
          {dropped.map(({ step, name, why }) => (
            <Dropped key={`${step} ${name}`} name={name} why={why} />
          ))}
        </ul>
      )}
    </>
  )
}

/** A target may stand there twice. */
const keyOf = ({ provider, model, connection }: OrderedTarget | ExcludedTarget, place: number): string =>
  `${provider}/${model} ${connection} ${place}`

interface PlaceProps {
  readonly target: OrderedTarget
  readonly place: number
}

function Place({ target, place }: PlaceProps) {
  const parts = partsOf(target.parts)
  return (
    <li className="order__row">
      <span className="order__number" aria-hidden="true">
        {place + 1}
      </span>
      <div className="order__body">
        <Name target={target} aside={scoreWords(target.score)} />
        {target.reserve && <p className="small muted">Only after a quota is spent.</p>}
        {target.stays !== null && (
          <p className="small">
            {sentence(target.stays.why)} Ends <Countdown until={target.stays.until} />.
          </p>
        )}
        <TargetQuota target={target} />
        {parts.length > 0 && parts.length <= 3 && <Bars parts={parts} />}
        {parts.length > 3 && (
          <details className="more">
            <summary className="small">What the score is made of</summary>
            <Bars parts={parts} />
          </details>
        )}
      </div>
    </li>
  )
}

/** What is left of the quotas of a target that is one connection. */
function TargetQuota({ target: { provider, connection } }: { readonly target: OrderedTarget }) {
  const quota = usePushed(({ providers }) => {
    const own = valueOr(providers, NONE).find(({ id }) => id === provider)?.connections ?? NONE
    return own.find(({ name }) => name === connection)?.quota ?? null
  })
  return connection === null ? null : <QuotaStrip quota={quota} />
}

function Name({ target, aside }: { readonly target: OrderedTarget | ExcludedTarget; readonly aside: string }) {
  return (
    <div className="line">
      <span className="grow breakable">
        <code>{targetName(target)}</code>
        {target.connection !== null && <span className="muted small"> with {target.connection}</span>}
        {target.via.length > 0 && <span className="muted small"> of combo {target.via.join(' → ')}</span>}
      </span>
      {aside !== '' && <span className="muted small nowrap">{aside}</span>}
    </div>
  )
}

function Bars({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <dl className="bars">
      {parts.map(({ key, label, text, share }) => (
        <div key={key} className="bars__row">
          <dt>{label}</dt>
          <dd className="bars__bar" aria-hidden="true">
            {share !== null && <span style={{ width: `${share * 100}%` }} />}
          </dd>
          <dd className="bars__text">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Dropped({ name, why }: { readonly name: string; readonly why: string }) {
  return (
    <li className="order__row">
      <span className="order__mark state state--down">
        <StateShape shape="square" />
        <span className="visually-hidden">Left out</span>
      </span>
      <div className="order__body">
        <code className="breakable">{name}</code>
        <p className="small">{why}</p>
      </div>
    </li>
  )
}

function LeftOut({ target }: { readonly target: ExcludedTarget }) {
  const rests = target.until !== null
  return (
    <li className="order__row">
      <span className={`order__mark state state--${rests ? 'warn' : 'down'}`}>
        <StateShape shape={rests ? 'clock' : 'square'} />
        <span className="visually-hidden">{rests ? 'Resting' : 'Left out'}</span>
      </span>
      <div className="order__body">
        <Name target={target} aside="" />
        <p className="small">
          {sentence(target.why)}
          {target.until !== null && (
            <>
              {' '}
              Back <Countdown until={target.until} />.
            </>
          )}
        </p>
      </div>
    </li>
  )
}
