// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one cannot be rows of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the head of a grid is not a stop, its rows are
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { RequestView } from '../../../core/contract/views'
import { OUTCOME_LOOKS } from '../../app/looks'
import { tokenWords } from '../../app/request-words'
import { openRequest, useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { compact, counted } from '../../ui/numbers'
import { StateBadge } from '../../ui/state-shape'
import { duration, exactTime, logTime } from '../../ui/time'
import { useNow } from '../../ui/use-now'
import { hold, loadOlder, useLog } from './log-store'

const ROW_HEIGHT = 34
const HEAD_HEIGHT = 32
const LOAD_WITHIN_ROWS = 40
const COLUMNS = ['Time', 'Outcome', 'Model', 'Answered by', 'From', 'Attempts', 'First byte', 'Total', 'Tokens']

/** Only what is seen is in the page. Held still while the pointer or the focus is in it, or it is scrolled away. */
export function LogTable({ rows }: { readonly rows: readonly RequestView[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const reasons = useRef({ pointer: false, focus: false, scrolled: false })
  const [focused, setFocused] = useState(0)
  const openId = useUi(({ openRequest }) => openRequest)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  })

  const because = (reason: Partial<typeof reasons.current>) => {
    Object.assign(reasons.current, reason)
    const { pointer, focus, scrolled } = reasons.current
    const held = pointer || focus || scrolled
    if (held !== useLog.getState().held) hold(held)
  }

  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - LOAD_WITHIN_ROWS) void loadOlder()
  }, [lastShown, rows.length])

  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(target)
    virtual.scrollToIndex(target)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus({ preventScroll: true }),
    )
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
      Home: 0,
      End: rows.length - 1,
    }
    const next = steps[event.key]
    const row = rows[focused]
    if (next !== undefined) {
      event.preventDefault()
      focusRow(next)
    } else if ((event.key === 'Enter' || event.key === ' ') && row !== undefined) {
      event.preventDefault()
      openRequest(row.id)
    }
  }

  return (
    <div className="card page__fill log">
      <NewRows onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <div
        className="log__grid"
        role="grid"
        aria-label="Requests, newest first"
        aria-rowcount={rows.length + 1}
        ref={scroller}
        onScroll={(event) => because({ scrolled: event.currentTarget.scrollTop > 0 })}
        onPointerEnter={() => because({ pointer: true })}
        onPointerLeave={() => because({ pointer: false })}
        onFocus={() => because({ focus: true })}
        onBlur={() => because({ focus: false })}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="log__head">
          <div className="log__row log__row--head" role="row" aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <div key={column} role="columnheader">
                {column}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <LogRow
                key={item.key}
                request={row}
                index={item.index}
                top={item.start - HEAD_HEIGHT}
                reachable={item.index === Math.min(focused, rows.length - 1)}
                open={row.id === openId}
                onOpen={() => {
                  setFocused(item.index)
                  openRequest(row.id)
                }}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function NewRows({ onShow }: { readonly onShow: () => void }) {
  const waiting = useLog(({ pending }) => pending.length)
  if (waiting === 0) return null
  const show = () => {
    onShow()
    hold(false)
    hold(true)
  }
  return (
    <Button small className="log__new" onClick={show}>
      {counted(waiting, 'new request')}
    </Button>
  )
}

interface LogRowProps {
  readonly request: RequestView
  readonly index: number
  readonly top: number
  readonly reachable: boolean
  readonly open: boolean
  readonly onOpen: () => void
}

function LogRow({ request, index, top, reachable, open, onOpen }: LogRowProps) {
  const now = useNow()
  const attempts = request.attempts.length
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    <div
      className="log__row"
      role="row"
      tabIndex={reachable ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={open}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
    >
      <div role="gridcell" className="muted" title={exactTime(request.at)}>
        {logTime(request.at, now)}
      </div>
      <div role="gridcell">
        <StateBadge look={OUTCOME_LOOKS[request.outcome]} />
      </div>
      <div role="gridcell" className="mono" title={request.model}>
        {request.model}
      </div>
      <div role="gridcell" className="mono muted" title={request.target ?? undefined}>
        {request.target ?? '–'}
      </div>
      <div role="gridcell" title={`${request.tool}, key ${request.clientKey}`}>
        {request.tool}
      </div>
      <div role="gridcell" className={attempts > 1 ? 'log__many' : 'muted'}>
        {attempts}
      </div>
      <div role="gridcell">{request.firstByteMs === null ? '–' : duration(request.firstByteMs)}</div>
      <div role="gridcell">{duration(request.totalMs)}</div>
      <div role="gridcell" className="muted">
        {tokenWords(request, compact) || '–'}
      </div>
    </div>
  )
}
