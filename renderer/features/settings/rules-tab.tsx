import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import type { ProviderErrorRule, ProviderErrorRules } from '../../../core/contract/error-rules'
import { NONE, valueOr } from '../../app/loadable'
import { Loaded } from '../../app/loaded'
import { usePushed } from '../../app/pushed'
import { REASON_WORDS } from '../../app/request-words'
import { Button, IconButton } from '../../ui/button'
import { Card, Empty } from '../../ui/card'
import { duration } from '../../ui/time'
import { BannedSignals } from './banned-signals'
import { movedRule, type RulePlace, SCOPE_CHOICES, withoutRule } from './rule-draft'
import { changeRules, loadRules, openRule, saveRules, useRules } from './rules-store'

const plus = <Plus size={16} strokeWidth={1.75} aria-hidden="true" />

/** What a person says about errors before the gateway's own rules are asked. */
export function RulesTab() {
  const rules = useRules(({ rules }) => rules)
  useEffect(() => void loadRules(), [])
  return (
    <Loaded of={rules} what="the rules" bars={6} again={loadRules}>
      {(value) => (
        <>
          <ProviderRules rules={value.providerErrorRules} />
          <BannedSignals signals={value.customBannedSignals} autoDisable={value.autoDisableBannedAccounts} />
        </>
      )}
    </Loaded>
  )
}

function ProviderRules({ rules }: { readonly rules: ProviderErrorRules }) {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const labelOf = (id: string): string => providers.find((provider) => provider.id === id)?.label ?? id
  const groups = Object.entries(rules).filter(([, list]) => list.length > 0)
  return (
    <Card
      title="Rules by provider"
      aside={
        <Button small icon={plus} onClick={() => openRule({ place: null, provider: '' })}>
          Add rule
        </Button>
      }
    >
      <p className="settings__note muted">
        They come before all built-in rules: an answer with this status and this text means what you say. Of several
        that fit, the first one decides.
      </p>
      {groups.length === 0 && (
        <Empty text="No rule of your own. Add one where a provider says something in words that the gateway takes for something else.">
          <Button icon={plus} onClick={() => openRule({ place: null, provider: '' })}>
            Add rule
          </Button>
        </Empty>
      )}
      {groups.map(([provider, list]) => (
        <section key={provider} aria-label={labelOf(provider)} className="rules-of">
          <h3 className="rules-of__head">{labelOf(provider)}</h3>
          <table className="table rules">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Text</th>
                <th scope="col">Means</th>
                <th scope="col" className="wide-only">
                  Rests
                </th>
                <th scope="col">
                  <span className="visually-hidden">Order and removal</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((rule, index) => (
                <RuleRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: its place is what a rule is known by
                  key={index}
                  rule={rule}
                  place={{ provider, index }}
                  rules={rules}
                  last={index === list.length - 1}
                />
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </Card>
  )
}

interface RuleRowProps {
  readonly rule: ProviderErrorRule
  readonly place: RulePlace
  readonly rules: ProviderErrorRules
  readonly last: boolean
}

const scopeWord = (rule: ProviderErrorRule): string =>
  (SCOPE_CHOICES.find(({ value }) => value === rule.scope)?.label ?? rule.scope).toLowerCase()

function RuleRow({ rule, place, rules, last }: RuleRowProps) {
  const open = useRules(({ panel }) => panel?.place?.provider === place.provider && panel.place.index === place.index)
  const move = (by: -1 | 1) => void saveRules({ providerErrorRules: movedRule(rules, place, by) })
  const name = `the rule for ${rule.status} "${rule.match}"`
  return (
    <tr data-open={open}>
      <td>{rule.status}</td>
      <td className="breakable">
        <button
          type="button"
          className="row-button"
          aria-expanded={open}
          onClick={() => openRule({ place, provider: place.provider })}
        >
          {rule.match}
        </button>
      </td>
      <td>
        {REASON_WORDS[rule.reason]}, about {scopeWord(rule)}
      </td>
      <td className="wide-only muted">{rule.cooldownMs === undefined ? 'as usual' : duration(rule.cooldownMs)}</td>
      <td className="num">
        <IconButton label={`Ask ${name} earlier`} disabled={place.index === 0} onClick={() => move(-1)}>
          <ArrowUp size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton label={`Ask ${name} later`} disabled={last} onClick={() => move(1)}>
          <ArrowDown size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={`Delete ${name}`}
          onClick={() => {
            openRule(null)
            void changeRules(withoutRule(rules, place), rules, 'Deleted the rule.')
          }}
        >
          <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </td>
    </tr>
  )
}
