// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one cannot be rows of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the head of a grid is not a stop, its rows are
import { useVirtualizer } from '@tanstack/react-virtual'
import { RotateCw } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { FactName } from '../../../core/contract/model-facts'
import type { ModelView } from '../../../core/contract/model-views'
import { IconButton } from '../../ui/button'
import { Moment } from '../../ui/moment'
import { count } from '../../ui/numbers'
import { StateShape } from '../../ui/state-shape'
import type { ModelRow } from './model-rows'
import { abilityWords, countWords, factWords, SOURCE_SENTENCES, sourcesWords } from './model-words'
import { openPanel, refresh, useModels } from './models-store'

const ROW_HEIGHT = 34
const GROUP_HEIGHT = 42
const FAILURE_HEIGHT = 22
const HEAD_HEIGHT = 32
const COLUMNS = ['Model', 'Context', 'In, 1M', 'Out, 1M', 'Can', 'Known from']

const heightOf = (row: ModelRow | undefined): number => {
  if (row?.kind !== 'provider') return ROW_HEIGHT
  return GROUP_HEIGHT + (row.list?.failures.length ?? 0) * FAILURE_HEIGHT
}

/** Thousands of models: only the rows that are seen are in the page. */
export function ModelList({ rows }: { readonly rows: readonly ModelRow[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  const openId = useModels(({ panel }) => (panel?.kind === 'model' ? panel.id : null))
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  })
  const reachable = Math.min(focused, rows.length - 1)

  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(target)
    virtual.scrollToIndex(target)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus({ preventScroll: true }),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A button in a row has its own keys.
    if (event.target instanceof HTMLButtonElement) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: reachable + 1,
      ArrowUp: reachable - 1,
      PageDown: reachable + page,
      PageUp: reachable - page,
      Home: 0,
      End: rows.length - 1,
    }
    const next = steps[event.key]
    const row = rows[reachable]
    if (next !== undefined) {
      event.preventDefault()
      focusRow(next)
    } else if ((event.key === 'Enter' || event.key === ' ') && row?.kind === 'model') {
      event.preventDefault()
      openPanel({ kind: 'model', id: row.model.id })
    }
  }

  return (
    <div className="card page__fill model-list">
      <div
        className="model-list__grid"
        role="grid"
        aria-label="Models by provider"
        aria-rowcount={rows.length + 1}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="model-list__head">
          <div className="model-list__row model-list__row--head" role="row" aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <div key={column} role="columnheader">
                {column}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const place = { index: item.index, top: item.start - HEAD_HEIGHT, reachable: item.index === reachable }
            if (row.kind === 'provider') return <ProviderRow key={item.key} row={row} {...place} height={item.size} />
            return (
              <Row
                key={item.key}
                model={row.model}
                {...place}
                open={row.model.id === openId}
                onOpen={() => {
                  setFocused(item.index)
                  openPanel({ kind: 'model', id: row.model.id })
                }}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface Place {
  readonly index: number
  readonly top: number
  readonly reachable: boolean
}

interface ProviderRowProps extends Place {
  readonly row: Extract<ModelRow, { kind: 'provider' }>
  readonly height: number
}

/** The provider, how its list stands, and the button that fetches it. */
function ProviderRow({ row, index, top, reachable, height }: ProviderRowProps) {
  const { id, label, count: all, matching, list } = row
  const busy = useModels(({ refreshing }) => refreshing.includes(id) || refreshing.includes(''))
  return (
    <div
      className="model-list__group"
      role="row"
      tabIndex={reachable ? 0 : -1}
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div role="gridcell" aria-colspan={COLUMNS.length} className="model-list__group-cell">
        <div className="line">
          <strong className="truncate">{label}</strong>
          <span className="muted grow truncate">
            {countWords(matching, all)}
            {list !== null && (
              <>
                {' · '}
                {list.fetchedAt === null ? (
                  'its list was never fetched'
                ) : (
                  <>
                    list fetched <Moment at={list.fetchedAt} />
                  </>
                )}
              </>
            )}
          </span>
          {list !== null && (
            <IconButton
              label={busy ? `Fetching the list of ${label}` : `Fetch the list of ${label}`}
              disabled={busy}
              tabIndex={reachable ? 0 : -1}
              onClick={() => void refresh(id)}
            >
              <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" className={busy ? 'turning' : undefined} />
            </IconButton>
          )}
        </div>
        {list?.failures.map((failure) => (
          <div key={failure} className="model-list__failure truncate" title={failure}>
            <StateShape shape="triangle" size={14} /> {failure}
          </div>
        ))}
      </div>
    </div>
  )
}

interface RowProps extends Place {
  readonly model: ModelView
  readonly open: boolean
  readonly onOpen: () => void
}

function Row({ model, index, top, reachable, open, onOpen }: RowProps) {
  const { facts, hidden, added, label } = model
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    <div
      className="model-list__row"
      role="row"
      tabIndex={reachable ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={open}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
    >
      <div role="gridcell" className="model-list__name" title={model.id}>
        <span className={hidden ? 'mono truncate muted' : 'mono truncate'}>{model.model}</span>
        {label !== model.model && <span className="muted truncate model-list__label">{label}</span>}
        {added && <span className="tag">Added</span>}
        {hidden && <span className="tag">Hidden</span>}
      </div>
      <FactCell name="contextWindow" fact={facts.contextWindow} />
      <FactCell name="inputPrice" fact={facts.inputPrice} />
      <FactCell name="outputPrice" fact={facts.outputPrice} />
      <div role="gridcell">{abilityWords(model) || <Unknown />}</div>
      <div role="gridcell" className="muted">
        {sourcesWords(model) || <Unknown />}
      </div>
    </div>
  )
}

function FactCell<N extends FactName>({ name, fact }: { readonly name: N; readonly fact: ModelView['facts'][N] }) {
  if (fact === null)
    return (
      <div role="gridcell">
        <Unknown />
      </div>
    )
  const exact = typeof fact.value === 'number' ? `${count(fact.value)}. ` : ''
  return (
    <div role="gridcell" title={`${exact}${SOURCE_SENTENCES[fact.source]}.`}>
      <span className={fact.source === 'user' ? 'model-list__yours' : undefined}>{factWords(name, fact.value)}</span>
    </div>
  )
}

const Unknown = () => (
  <span className="muted">
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">unknown</span>
  </span>
)
