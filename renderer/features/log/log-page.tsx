import './log.css'
import { Search, Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { onPush } from '../../app/client'
import { PageFrame } from '../../app/page'
import { openTry, useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Empty } from '../../ui/card'
import { Segments } from '../../ui/field'
import { Waiting } from '../../ui/waiting'
import { TryPanel } from '../wizard/try-panel'
import type { LogFilter } from './filter'
import { append, hold, loadNewest, setFilter, useLog } from './log-store'
import { LogTable } from './log-table'
import { RequestPanel } from './request-panel'

const OUTCOMES: readonly { readonly value: LogFilter['outcome']; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'ok', label: 'Answered' },
  { value: 'failed', label: 'Failed' },
  { value: 'truncated', label: 'Cut off' },
  { value: 'aborted', label: 'Stopped' },
]
const TYPING_PAUSE_MS = 200

export function LogPage() {
  const openId = useUi(({ openRequest }) => openRequest)
  const tryOpen = useUi(({ tryOpen }) => tryOpen)
  useEffect(() => {
    void loadNewest()
    const stop = onPush('log:appended', append)
    return () => {
      stop()
      hold(false)
    }
  }, [])
  return (
    <PageFrame
      title="Log"
      fixed
      action={
        <Button icon={<Send size={16} strokeWidth={1.75} aria-hidden="true" />} onClick={openTry}>
          Send a request
        </Button>
      }
      panel={tryOpen ? <TryPanel /> : openId !== null && <RequestPanel id={openId} />}
    >
      <Filters />
      <List />
    </PageFrame>
  )
}

function Filters() {
  const outcome = useLog(({ filter }) => filter.outcome)
  const [text, setText] = useState(() => useLog.getState().filter.search)
  useEffect(() => {
    if (text === useLog.getState().filter.search) return
    const timer = setTimeout(() => setFilter({ search: text }), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className="line line--wrap log-filters">
      <div className="search">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <input
          id="log-search"
          type="search"
          className="input"
          placeholder="Model, target, tool, id or message"
          aria-label="Search the log"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') {
              event.preventDefault()
              setText('')
            }
          }}
        />
        {text === '' && (
          <kbd className="search__key" title="Key: /">
            /
          </kbd>
        )}
      </div>
      <Segments
        label="Outcome"
        value={outcome}
        choices={OUTCOMES}
        onChange={(value) => setFilter({ outcome: value })}
      />
    </div>
  )
}

function List() {
  const { rows, loaded, error, filter } = useLog()
  const filtered = filter.search !== '' || filter.outcome !== 'all'
  if (error !== null && rows.length === 0)
    return (
      <Callout
        tone="down"
        shape="cross"
        title="The log could not be read"
        actions={<Button onClick={() => void loadNewest()}>Try again</Button>}
      >
        <p>{error.message}</p>
      </Callout>
    )
  if (!loaded)
    return (
      <div className="card">
        <Waiting forWhat="the log" bars={9} />
      </div>
    )
  if (rows.length === 0)
    return (
      <div className="card page__fill">
        {filtered ? (
          <Empty text="No request matches.">
            <Button onClick={() => setFilter({ outcome: 'all' })} disabled={filter.outcome === 'all'}>
              Show all outcomes
            </Button>
          </Empty>
        ) : (
          <Empty text="No request has come in yet. Point a tool at the gateway's address, or send a first one from here.">
            <Button look="primary" onClick={openTry}>
              Send a request
            </Button>
          </Empty>
        )}
      </div>
    )
  return <LogTable rows={rows} />
}
