import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useId, useRef, useState } from 'react'
import { type AnyStrategyName, QUOTA_SHARE, STRATEGIES } from '../../../core/contract/combo-strategies'
import { FieldError } from '../../ui/field'
import { strategyWords } from './combo-words'

interface StrategyProps {
  /** The one in force. */
  readonly value: AnyStrategyName
  readonly error: string | null
  readonly onChange: (strategy: AnyStrategyName) => void
}

/** Whom to ask first: all strategies with what each does, in one list. */
export function StrategyField({ value, error, onChange }: StrategyProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { label, help } = strategyWords(value)
  return (
    <div className="field">
      <span className="field__label" id={`${id}-label`}>
        Strategy
      </span>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <button
            type="button"
            className="strategy-button"
            id={id}
            aria-labelledby={`${id}-label ${id}`}
            aria-describedby={`${id}-help`}
            disabled={value === QUOTA_SHARE}
          >
            <span className="grow truncate">{label}</span>
            <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="popover strategies"
            aria-label="Strategies"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            onOpenAutoFocus={(event) => event.preventDefault()}
          >
            <Choices value={value} onChange={onChange} onClose={() => setOpen(false)} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <div className="field__help" id={`${id}-help`}>
        {help}
      </div>
      {error !== null && <FieldError message={error} />}
    </div>
  )
}

interface ChoicesProps {
  readonly value: AnyStrategyName
  readonly onChange: (strategy: AnyStrategyName) => void
  readonly onClose: () => void
}

/** Real radio buttons: arrows choose, Enter or a click takes it and closes. */
function Choices({ value, onChange, onClose }: ChoicesProps) {
  const name = useId()
  const checked = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The list has its height only once it is placed.
    const frame = requestAnimationFrame(() => {
      checked.current?.focus()
      checked.current?.scrollIntoView({ block: 'center' })
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <fieldset className="strategies__list">
      <legend className="visually-hidden">Strategy</legend>
      {STRATEGIES.map((strategy) => {
        const { label, help } = strategyWords(strategy)
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the radio button inside has the keys
          <label
            key={strategy}
            className="strategy"
            onClick={(event) => {
              // Arrows make clicks without a pointer.
              if (event.detail === 0) return
              event.preventDefault()
              onChange(strategy)
              onClose()
            }}
          >
            <input
              ref={strategy === value ? checked : undefined}
              type="radio"
              name={name}
              aria-label={label}
              aria-describedby={`${name}-${strategy}`}
              checked={strategy === value}
              onChange={() => onChange(strategy)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                onClose()
              }}
            />
            <span className="strategy__words">
              <strong>{label}</strong>
              <span className="small muted" id={`${name}-${strategy}`}>
                {help}
              </span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
