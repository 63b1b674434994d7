import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button'
import { Card } from '../../ui/card'
import { FieldError, Switch } from '../../ui/field'
import { showToast } from '../../ui/toast-store'
import { checkSignals, NO_SIGNAL_ERRORS, placeSignalError, toSignals } from './rule-draft'
import { saveRules } from './rules-store'

interface SignalsProps {
  readonly signals: readonly string[]
  readonly autoDisable: boolean
}

/** Texts that mean an account is banned, one a line, and what follows a ban. */
export function BannedSignals({ signals, autoDisable }: SignalsProps) {
  const id = useId()
  const [texts, setTexts] = useState<readonly string[]>(signals)
  const [errors, setErrors] = useState(NO_SIGNAL_ERRORS)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => setTexts(signals), [signals])
  const isChanged = toSignals(texts).join('\n') !== signals.join('\n')

  const edit = (next: readonly string[]) => {
    setTexts(next)
    setErrors(NO_SIGNAL_ERRORS)
  }
  const add = () => {
    edit([...texts, ''])
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('.signals__row:last-child input')?.focus())
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const found = checkSignals(texts)
    setErrors(found)
    if (Object.keys(found.lines).length > 0 || found.general !== null) return
    const refused = await saveRules({ customBannedSignals: toSignals(texts) })
    if (refused !== null) return setErrors(placeSignalError(refused, texts))
    showToast({ text: 'Saved. It counts from the next error on.' })
  }
  const setAutoDisable = async (on: boolean) => {
    const refused = await saveRules({ autoDisableBannedAccounts: on })
    if (refused !== null) showToast({ text: refused.message, bad: true })
  }

  return (
    <Card title="Banned accounts">
      <p className="settings__note muted">
        An error that holds one of these texts means that the account is banned: its connection is not used until you
        act. The gateway knows the usual phrases already; capitals do not matter.
      </p>
      <form className="card__body stack" noValidate onSubmit={(event) => void save(event)}>
        {texts.length > 0 && (
          <div className="signals" ref={list}>
            {texts.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text is known by its line
              <div key={index} className="signals__row">
                <div className="line">
                  <input
                    className="input"
                    aria-label={`Text ${index + 1} that means a ban`}
                    aria-invalid={errors.lines[index] !== undefined}
                    aria-describedby={errors.lines[index] === undefined ? undefined : `${id}-${index}`}
                    value={text}
                    onChange={(event) => edit(texts.map((each, at) => (at === index ? event.target.value : each)))}
                  />
                  <IconButton
                    label={`Remove text ${index + 1}`}
                    onClick={() => edit(texts.filter((_, at) => at !== index))}
                  >
                    <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
                  </IconButton>
                </div>
                {errors.lines[index] !== undefined && (
                  <FieldError id={`${id}-${index}`} message={errors.lines[index]} />
                )}
              </div>
            ))}
          </div>
        )}
        {errors.general !== null && <FieldError message={errors.general} />}
        <div className="line">
          <Button small icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />} onClick={add}>
            Add text
          </Button>
          <Button small look={isChanged ? 'primary' : 'default'} type="submit" disabled={!isChanged}>
            Save texts
          </Button>
        </div>
      </form>
      <div className="setting">
        <div className="setting__words">
          <span className="field__label">Switch banned connections off</span>
          <p className="field__help" id={`${id}-auto`}>
            On: a connection whose account is found banned is switched off, too, and stays so until you switch it on.
          </p>
        </div>
        <div className="setting__value">
          <Switch
            label="Switch banned connections off"
            checked={autoDisable}
            aria-describedby={`${id}-auto`}
            onChange={(on) => void setAutoDisable(on)}
          />
        </div>
      </div>
    </Card>
  )
}
