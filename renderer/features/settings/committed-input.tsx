import { useEffect, useState } from 'react'

export interface CommittedInputProps {
  readonly id: string
  /** What is stored, as text. */
  readonly text: string
  readonly numeric: boolean
  readonly fixed: boolean
  readonly invalid: boolean
  readonly describedBy: string
  readonly placeholder?: string | undefined
  /** What the text being typed means: "= 10 min". */
  readonly inWords?: (text: string) => string
  readonly unit?: string | undefined
  readonly onCommit: (text: string) => void
  /** Typing has begun again: an old error is not about this text. */
  readonly onEdit: () => void
}

/** Text that is taken over with Enter or when the field is left; Esc brings back what is stored. */
export function CommittedInput(props: CommittedInputProps) {
  const { id, text: stored, numeric, fixed, invalid, describedBy, placeholder, inWords, unit, onCommit, onEdit } = props
  const [text, setText] = useState(stored)
  // A value that came from elsewhere replaces what is shown; one that was refused stays to be mended.
  useEffect(() => setText(stored), [stored])
  const commit = () => {
    if (text !== stored) onCommit(text)
  }
  return (
    <div className="setting__text">
      {inWords !== undefined && <span className="muted small">{inWords(text)}</span>}
      <input
        id={id}
        className={numeric ? 'input setting__number' : 'input input--mono'}
        inputMode={numeric ? 'numeric' : 'text'}
        spellCheck={false}
        value={text}
        readOnly={fixed}
        placeholder={placeholder}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => {
          setText(event.target.value)
          onEdit()
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          if (event.key === 'Escape' && text !== stored) {
            event.preventDefault()
            setText(stored)
            onEdit()
          }
        }}
      />
      {numeric && <span className="muted small setting__unit">{unit}</span>}
    </div>
  )
}
