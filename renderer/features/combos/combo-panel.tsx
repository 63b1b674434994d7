import { Copy, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { ComboView } from '../../../core/contract/combo-views'
import { call } from '../../app/client'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Field, FieldError } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'
import { showToast } from '../../ui/toast-store'
import {
  type ComboDraft,
  type ComboErrors,
  checkCombo,
  draftOf,
  isSound,
  NO_ERRORS,
  placeComboError,
  stepWarnings,
  toCreate,
  toPreview,
  toUpdate,
} from './combo-draft'
import { MOST_NAME_CHARACTERS, strategyInForce } from './combo-words'
import {
  adoptCombo,
  discard,
  dropEdit,
  duplicateCombo,
  keepEdit,
  NEW_EDIT,
  openCombo,
  removeCombo,
  useCombos,
} from './combos-store'
import { CommonConfig, StrategyConfig } from './config-fields'
import { OrderNow } from './order-now'
import { orderNote } from './order-words'
import { StepList } from './step-list'
import { StrategyField } from './strategy-field'
import { TryCombo } from './try-combo'

const FORM = 'combo-form'
const OLD_ORDER = 'Of the combo as it was saved last.'
const close = () => openCombo(null)

interface PanelProps {
  /** Of the combo, or `NEW`. */
  readonly id: string
  /** As the core has it; null: it is new. */
  readonly combo: ComboView | null
}

/** One combo: its name, its strategy, its steps; below, what it would do now. */
export function ComboPanel({ id, combo }: PanelProps) {
  const kept = useCombos(({ edits }) => edits[id])
  const edit = kept ?? (combo === null ? NEW_EDIT : { draft: draftOf(combo), base: combo })
  const { draft, base } = edit
  const [errors, setErrors] = useState<ComboErrors>(NO_ERRORS)
  const [busy, setBusy] = useState(false)
  const others = useOthers(id)
  const strategy = strategyInForce(draft.name, draft.strategy)
  const preview = kept === undefined ? null : toPreview(draft, others)
  const asked = preview !== null ? { draft: preview } : combo !== null ? { id: combo.id } : null

  const words = orderNote({ strategy, config: preview?.config ?? combo?.config ?? {} })
  const note = kept === undefined ? words : preview === null ? OLD_ORDER : `Not saved yet. ${words}`

  const change = (part: Partial<ComboDraft>) => {
    keepEdit(id, { draft: { ...draft, ...part }, base })
    setErrors(NO_ERRORS)
  }
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = checkCombo(draft, others)
    setErrors(found)
    if (!isSound(found)) return showFirstFault(form)
    const update = base === null ? null : toUpdate(draft, base)
    if (base !== null && update === null) return dropEdit(id)
    setBusy(true)
    const answer = update === null ? await call('combos:create', toCreate(draft)) : await call('combos:update', update)
    setBusy(false)
    if (!answer.ok) {
      setErrors(placeComboError(answer.error, draft))
      return showFirstFault(form)
    }
    adoptCombo(answer.value)
    dropEdit(id)
    openCombo(answer.value.id)
    showToast({ text: `Saved combo ${answer.value.name}.` })
  }

  return (
    <div className="combo-panel">
      <SidePanel
        title={combo === null ? 'Add combo' : combo.name}
        subject={id}
        onClose={close}
        footer={
          <>
            {combo !== null && <Tools combo={combo} />}
            <span className="grow" />
            {kept !== undefined && (
              <Button
                look="quiet"
                onClick={() => {
                  discard(id, edit, combo?.name ?? 'the new combo')
                  setErrors(NO_ERRORS)
                }}
              >
                Discard
              </Button>
            )}
            <Button look="primary" type="submit" form={FORM} disabled={busy || kept === undefined}>
              {busy ? 'Saving…' : 'Save'}
            </Button>
          </>
        }
      >
        <div className="stack stack--loose">
          <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
            {combo !== null && <About combo={combo} />}
            <Field label="Name" error={errors.name ?? null} help={<AskedAs name={draft.name} />}>
              {(wiring) => (
                <input
                  className="input input--mono"
                  {...wiring}
                  value={draft.name}
                  maxLength={MOST_NAME_CHARACTERS}
                  spellCheck={false}
                  autoComplete="off"
                  onChange={(event) => change({ name: event.target.value })}
                />
              )}
            </Field>
            <StrategyField
              value={strategy}
              error={errors.strategy ?? null}
              onChange={(next) => change({ strategy: next })}
            />
            <StepList
              steps={draft.steps}
              {...{ strategy, errors }}
              warnings={stepWarnings(draft, base)}
              comboId={combo?.id ?? null}
              onChange={(steps) => change({ steps })}
            />
            <StrategyConfig
              {...{ strategy, texts: draft.config, errors: errors.config }}
              onChange={(config) => change({ config })}
            />
            <CommonConfig
              {...{ strategy, texts: draft.config, errors: errors.config }}
              onChange={(config) => change({ config })}
            />
            {errors.general !== undefined && <FieldError message={errors.general} />}
          </form>
          {asked !== null && (
            <>
              <hr className="rule" />
              <OrderNow asked={asked} note={note} />
            </>
          )}
          {combo !== null && (
            <>
              <hr className="rule" />
              <TryCombo combo={combo} edited={kept !== undefined} />
            </>
          )}
        </div>
      </SidePanel>
    </div>
  )
}

function AskedAs({ name }: { readonly name: string }) {
  const asked = name.trim() === '' ? 'fast' : name.trim()
  return (
    <>
      Tools ask for it as a model: <code>{asked}</code>, or <code>combo/{asked}</code>.
    </>
  )
}

/** Where something is wrong, the first of it is shown. */
function showFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const fault = form.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (fault === null) form.querySelector('.field__error')?.scrollIntoView({ block: 'center' })
    else fault.focus()
  })
}

function useOthers(id: string) {
  const combos = useCombos(({ combos }) => valueOr(combos, NONE))
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  return {
    providerIds: new Set(providers.flatMap((each) => [each.id, ...each.aliases]).map((each) => each.toLowerCase())),
    taken: new Set(combos.filter((each) => each.id !== id).map(({ name }) => name)),
  }
}

function Tools({ combo }: { readonly combo: ComboView }) {
  return (
    <>
      <Button
        look="danger"
        icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => void removeCombo(combo)}
      >
        Delete
      </Button>
      <Button
        icon={<Copy size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => void duplicateCombo(combo)}
      >
        Duplicate
      </Button>
    </>
  )
}

/** What concerns the combo as a whole, and who leads to it. */
function About({ combo: { warnings, usedBy } }: { readonly combo: ComboView }) {
  const general = warnings.filter(({ step }) => step === null)
  return (
    <>
      {general.map(({ message }) => (
        <Callout key={message} tone="warn" shape="triangle">
          <p>{message}</p>
        </Callout>
      ))}
      {usedBy.length > 0 && <p className="small muted">A step of {usedBy.join(', ')}.</p>}
    </>
  )
}
