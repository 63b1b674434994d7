import './quota.css'
import type { ConnectionQuota, QuotaWindowView } from '../../core/contract/quota-views'
import { Moment } from '../ui/moment'
import { useNow } from '../ui/use-now'
import { LEVEL_WORDS, listed, moneyWords, usedWords, windowLabel } from './quota-words'

/** A few quotas in as many lines; nothing where nothing is known. */
export function QuotaStrip({ quota }: { readonly quota: ConnectionQuota | null }) {
  const now = useNow()
  const windows = listed(quota, now)
  const money = quota?.money ?? null
  if (windows.length === 0 && money === null) return null
  return (
    <div className="quota">
      {windows.map((window) => (
        <div key={`${window.span} ${window.counts} ${window.model}`}>
          <div className="quota__line">
            <span className="quota__name" title={window.model ?? undefined}>
              {windowLabel(window)}
              {window.resetAt !== null && (
                <span className="quota__reset">
                  {' · '}resets <Moment at={window.resetAt} />
                </span>
              )}
            </span>
            <Share window={window} />
          </div>
          <QuotaBar window={window} />
        </div>
      ))}
      {money !== null && (
        <div className="quota__line">
          <span className="quota__name">Balance</span>
          <span>{moneyWords(money)}</span>
        </div>
      )}
    </div>
  )
}

/** The share is said beside it. */
export function QuotaBar({ window }: { readonly window: QuotaWindowView }) {
  const { usedPercent, level } = window
  if (usedPercent === null) return <span />
  const share = Math.min(100, Math.max(0, usedPercent))
  return (
    <span className={`quota__bar quota__bar--${level}`} aria-hidden="true">
      <span style={{ width: `${share}%` }} />
    </span>
  )
}

export function Share({ window }: { readonly window: QuotaWindowView }) {
  const word = LEVEL_WORDS[window.level]
  return (
    <span className={`quota__share quota__share--${window.level}`}>
      {usedWords(window.usedPercent)}
      {word !== '' && ` · ${word}`}
    </span>
  )
}
