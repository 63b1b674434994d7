import { type FormEvent, useState } from 'react'
import type { ProviderErrorRules } from '../../../core/contract/error-rules'
import { valueOr } from '../../app/loadable'
import { ProviderSelect } from '../../app/provider-select'
import { REASON_WORDS } from '../../app/request-words'
import { Button } from '../../ui/button'
import { Field, FieldError, Segments } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'
import { showToast } from '../../ui/toast-store'
import {
  checkRule,
  draftOfRule,
  emptyRule,
  placeRuleError,
  RULE_REASONS,
  type RuleDraft,
  type RuleErrors,
  type RuleReason,
  SCOPE_CHOICES,
  withRule,
} from './rule-draft'
import { type OpenRule, openRule, saveRules, useRules } from './rules-store'

const FORM = 'rule-form'
const NO_RULES: ProviderErrorRules = {}

export function RulePanel({ panel }: { readonly panel: OpenRule }) {
  const { place } = panel
  const subject = place === null ? 'new' : `${place.provider} ${place.index}`
  return <RuleForm key={subject} {...{ panel, subject }} />
}

function firstDraft({ place, provider }: OpenRule, rules: ProviderErrorRules): RuleDraft {
  const rule = place === null ? undefined : rules[place.provider]?.[place.index]
  return rule === undefined ? emptyRule(provider) : draftOfRule(provider, rule)
}

function RuleForm({ panel, subject }: { readonly panel: OpenRule; readonly subject: string }) {
  const rules = useRules(({ rules }) => valueOr(rules, null)?.providerErrorRules ?? NO_RULES)
  const [draft, setDraft] = useState<RuleDraft>(() => firstDraft(panel, rules))
  const [errors, setErrors] = useState<RuleErrors>({})
  const change = (part: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors({})
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const found = checkRule(draft)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const refused = await saveRules({ providerErrorRules: withRule(rules, draft, panel.place) })
    if (refused !== null) return setErrors(placeRuleError(refused))
    openRule(null)
    showToast({ text: 'Saved the rule. It counts from the next error on.' })
  }
  return (
    <SidePanel
      title={panel.place === null ? 'Add rule' : 'Edit rule'}
      subject={subject}
      onClose={() => openRule(null)}
      footer={
        <>
          <span className="grow" />
          <Button look="primary" type="submit" form={FORM}>
            Save
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack stack--loose" noValidate onSubmit={(event) => void save(event)}>
        <Field label="Provider" error={errors.provider ?? null}>
          {(wiring) => (
            <ProviderSelect {...wiring} value={draft.provider} onChange={(provider) => change({ provider })} />
          )}
        </Field>
        <Field label="Status" error={errors.status ?? null} help="The HTTP status of the answer.">
          {(wiring) => (
            <input
              className="input input--short"
              {...wiring}
              inputMode="numeric"
              value={draft.status}
              onChange={(event) => change({ status: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Text in the error"
          error={errors.match ?? null}
          help="Any part of the body, as it comes. Capitals do not matter."
        >
          {(wiring) => (
            <input
              className="input"
              {...wiring}
              spellCheck={false}
              value={draft.match}
              onChange={(event) => change({ match: event.target.value })}
            />
          )}
        </Field>
        <Field label="It means" error={errors.reason ?? null}>
          {(wiring) => (
            <select
              className="select"
              {...wiring}
              value={draft.reason}
              onChange={(event) => change({ reason: event.target.value as RuleReason })}
            >
              {RULE_REASONS.map((reason) => (
                <option key={reason} value={reason}>
                  {REASON_WORDS[reason]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="field">
          <span className="field__label">It is about</span>
          <Segments
            label="It is about"
            value={draft.scope}
            choices={SCOPE_CHOICES}
            onChange={(scope) => change({ scope })}
          />
        </div>
        <Field
          label="Rests for, in seconds (optional)"
          error={errors.restSeconds ?? null}
          help="Left empty: as long as after any failure of that kind."
        >
          {(wiring) => (
            <input
              className="input input--short"
              {...wiring}
              inputMode="decimal"
              value={draft.restSeconds}
              onChange={(event) => change({ restSeconds: event.target.value })}
            />
          )}
        </Field>
        {errors.general !== undefined && <FieldError message={errors.general} />}
      </form>
    </SidePanel>
  )
}
