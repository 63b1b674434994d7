import type { ConnectionQuota, QuotaWindowView } from '../../../core/contract/quota-views'
import { QuotaBar, Share } from '../../app/quota-strip'
import { moneyWords, presentWindows, sourceWords, windowLabel } from '../../app/quota-words'
import { Countdown } from '../../ui/countdown'
import { Moment } from '../../ui/moment'
import { useNow } from '../../ui/use-now'

/** All that is known of a connection's allowances: each window, when it is renewed, from where it is known, and since when. */
export function QuotaCard({ quota }: { readonly quota: ConnectionQuota | null }) {
  const now = useNow()
  if (quota === null) return null
  const windows = presentWindows(quota.windows, now)
  const { money, page, refused } = quota
  if (windows.length === 0 && money === null && page === null && !refused) return null
  return (
    <section className="card quota-card" aria-label="What is left">
      {refused && <p>The provider says that nothing can be asked for now.</p>}
      {windows.length > 0 && (
        <ul className="quota-card__list">
          {windows.map((window) => (
            <Window key={`${window.span} ${window.counts} ${window.model} ${window.from}`} window={window} />
          ))}
        </ul>
      )}
      {money !== null && (
        <p>
          Balance <strong>{moneyWords(money)}</strong>
        </p>
      )}
      {page !== null && <PageLine page={page} />}
    </section>
  )
}

function Window({ window }: { readonly window: QuotaWindowView }) {
  return (
    <li className="quota-card__window">
      <div className="line">
        <span className="grow">
          {windowLabel(window)}
          {window.model !== null && (
            <>
              {' '}
              <code>{window.model}</code>
            </>
          )}
        </span>
        <Share window={window} />
      </div>
      <QuotaBar window={window} />
      <p className="small muted">
        {window.resetAt !== null && (
          <>
            Resets <Countdown until={window.resetAt} />,{' '}
          </>
        )}
        {sourceWords(window)} <Moment at={window.readAt} />
      </p>
    </li>
  )
}

function PageLine({ page: { readAt, failure } }: { readonly page: NonNullable<ConnectionQuota['page']> }) {
  return (
    <p className="small muted">
      {failure !== null ? (
        <>
          The provider’s page about the account could not be read <Moment at={failure.at} />: {failure.why}.
          {readAt !== null && (
            <>
              {' '}
              It was read last <Moment at={readAt} />.
            </>
          )}
        </>
      ) : (
        readAt !== null && (
          <>
            The provider’s page about the account was read <Moment at={readAt} />.
          </>
        )
      )}
    </p>
  )
}
