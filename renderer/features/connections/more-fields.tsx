import { type ReactNode, useEffect, useState } from 'react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { Callout } from '../../ui/callout'
import { Field, Segments } from '../../ui/field'
import type { Draft, DraftErrors } from './draft'
import { hasSettings, type LimitName, type SettingsDraft, type SettingsField, type SwitchName } from './settings-draft'

interface MoreProps {
  readonly draft: Draft
  readonly errors: DraftErrors
  readonly provider: ProviderView | null
  readonly editing: ConnectionView | null
  readonly onChange: (change: Partial<Draft>) => void
}

/** What most connections do without: a proxy of their own, limits, rests. Open where something of it is set or wrong. */
export function MoreFields(props: MoreProps) {
  const { draft, errors, provider, editing, onChange } = props
  const change = (part: Partial<SettingsDraft>) => onChange({ settings: { ...draft.settings, ...part } })
  const hasErrors = Object.keys(errors).some((field) => field === 'proxy' || field.startsWith('settings.'))
  const isSet = editing !== null && (editing.proxy !== null || hasSettings(editing.settings))
  const [open, setOpen] = useState(isSet)
  useEffect(() => {
    if (hasErrors) setOpen(true)
  }, [hasErrors])
  const isClaude = provider?.class === 'oauth' && provider.dialect === 'anthropic'
  return (
    <details className="more" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Proxy, rests and limits</summary>
      <div className="stack stack--loose more__body">
        <ProxyField {...props} />
        <Rests settings={draft.settings} change={change} />
        <Limits settings={draft.settings} errors={errors} change={change} />
        {isClaude && <Claude settings={draft.settings} errors={errors} change={change} />}
      </div>
    </details>
  )
}

function ProxyField({ draft, errors, editing, onChange }: MoreProps) {
  return (
    <>
      {editing?.proxy?.locked === true && (
        <Callout tone="down" shape="square" title="The stored proxy cannot be opened">
          <p>
            Its address was sealed by a key store that does not answer now, so nothing is sent without it. Unlock that
            store, or enter the address anew.
          </p>
        </Callout>
      )}
      <Field
        label="Proxy"
        error={errors.proxy ?? null}
        help="http, https or socks5, such as socks5://user:password@10.0.0.2:1080. User and password are never shown again: to change it, enter the whole address."
      >
        {(wiring) => (
          <input
            className="input input--mono"
            {...wiring}
            value={draft.proxy}
            maxLength={2048}
            spellCheck={false}
            autoComplete="off"
            placeholder="none of its own"
            onChange={(event) => onChange({ proxy: event.target.value })}
          />
        )}
      </Field>
      <Tick
        name="egressRotating"
        label="The proxy leaves by another address each time"
        help="Then limits that a provider counts by address put only this connection to rest."
        settings={draft.settings}
        change={(part) => onChange({ settings: { ...draft.settings, ...part } })}
      />
    </>
  )
}

interface PartProps {
  readonly settings: SettingsDraft
  readonly change: (part: Partial<SettingsDraft>) => void
}

function Rests({ settings, change }: PartProps) {
  return (
    <>
      <Tick
        name="disableCooling"
        label="Never rest after failures that pass"
        help="It is asked again at once, whatever it answered. A refused key or a ban still takes it out."
        {...{ settings, change }}
      />
      <div className="field">
        <span className="field__label">Each model has a quota of its own</span>
        <Segments
          label="Each model has a quota of its own"
          value={settings.perModelQuota}
          choices={[
            { value: '', label: 'As the provider' },
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
          onChange={(perModelQuota) => change({ perModelQuota })}
        />
        <div className="field__help">Yes: a limit rests the model, not the connection.</div>
      </div>
    </>
  )
}

const LIMIT_LABELS: readonly { readonly name: LimitName; readonly label: string }[] = [
  { name: 'rpm', label: 'Requests a minute' },
  { name: 'rpd', label: 'Requests a day' },
  { name: 'tpm', label: 'Tokens a minute' },
  { name: 'tpd', label: 'Tokens a day' },
  { name: 'maxConcurrent', label: 'At once, in the queue' },
  { name: 'minTime', label: 'ms between two' },
  { name: 'maxWaitMs', label: 'Longest wait, ms' },
  { name: 'executionMaxWaitMs', label: 'Longest run, ms' },
]

function Limits({ settings, errors, change }: PartProps & { readonly errors: DraftErrors }) {
  const caps = 'settings.rateLimitOverrides.modelConcurrency'
  return (
    <>
      <Field
        label="Requests at once"
        error={errors['settings.maxConcurrent'] ?? null}
        help="Counts where a combo gives its targets turns. Empty or 0: no limit of its own."
      >
        {(wiring) => (
          <input
            className="input input--short"
            {...wiring}
            inputMode="numeric"
            value={settings.maxConcurrent}
            onChange={(event) => change({ maxConcurrent: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Weight"
        error={errors['settings.weight'] ?? null}
        help="Its share where keys of a provider are drawn by weight (Settings, Routing). 0: only a reserve. Empty: 1."
      >
        {(wiring) => (
          <input
            className="input input--short"
            {...wiring}
            inputMode="numeric"
            value={settings.weight}
            onChange={(event) => change({ weight: event.target.value })}
          />
        )}
      </Field>
      <fieldset className="stack stack--tight">
        <legend className="field__label">Rate limits of its own</legend>
        <p className="field__help">Kept for a queue that is still to come: no request is held back by them yet.</p>
        <div className="fact-grid">
          {LIMIT_LABELS.map(({ name, label }) => (
            <LimitField
              key={name}
              label={label}
              error={errors[`settings.rateLimitOverrides.${name}` satisfies SettingsField] ?? null}
              value={settings.limits[name]}
              onChange={(value) => change({ limits: { ...settings.limits, [name]: value } })}
            />
          ))}
        </div>
      </fieldset>
      <Field
        label="Requests at once, by model"
        error={errors[caps] ?? null}
        help="One model=cap a line, such as glm-5=2. Kept for the queue that is still to come, too."
      >
        {(wiring) => (
          <textarea
            className="textarea input--mono"
            {...wiring}
            rows={3}
            spellCheck={false}
            value={settings.modelConcurrency}
            onChange={(event) => change({ modelConcurrency: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Leave unused of its quotas"
        error={errors['settings.quotaWindowThresholds'] ?? null}
        help="One window=per cent a line, such as 7d=10. Counts where the setting “Stop before a quota is spent” is on."
      >
        {(wiring) => (
          <textarea
            className="textarea input--mono"
            {...wiring}
            rows={2}
            spellCheck={false}
            value={settings.quotaThresholds}
            onChange={(event) => change({ quotaThresholds: event.target.value })}
          />
        )}
      </Field>
      <Tick
        name="rateLimitProtection"
        label="Hold requests back before the limit is reached"
        help="They would wait here instead of being refused there. Kept for the queue that is still to come."
        {...{ settings, change }}
      />
    </>
  )
}

interface LimitProps {
  readonly label: string
  readonly error: string | null
  readonly value: string
  readonly onChange: (value: string) => void
}

function LimitField({ label, error, value, onChange }: LimitProps) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <input
          className="input"
          {...wiring}
          inputMode="numeric"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function Claude({ settings, errors, change }: PartProps & { readonly errors: DraftErrors }) {
  return (
    <fieldset className="stack">
      <legend className="field__label">Claude</legend>
      <p className="field__help">Kept for later: nothing is done by these yet.</p>
      <Tick
        name="lowPriorityMode"
        label="Go on in the slow lane at the limit"
        help="When the subscription’s limit is reached, requests go on with low priority where the plan allows it."
        {...{ settings, change }}
      />
      <Tick
        name="autoLimitReset"
        label="Use up a reset of the limit"
        help="When the limit is reached and the account has a reset left, it is used without asking."
        {...{ settings, change }}
      />
      <Field
        label="Organization id"
        error={errors['settings.organizationUUID'] ?? null}
        help="Needed only where the account belongs to several organizations."
      >
        {(wiring) => (
          <input
            className="input input--mono"
            {...wiring}
            spellCheck={false}
            maxLength={100}
            value={settings.organizationUUID}
            onChange={(event) => change({ organizationUUID: event.target.value })}
          />
        )}
      </Field>
    </fieldset>
  )
}

interface TickProps extends PartProps {
  readonly name: SwitchName
  readonly label: string
  readonly help: ReactNode
}

function Tick({ name, label, help, settings, change }: TickProps) {
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        checked={settings.switches[name]}
        onChange={(event) => change({ switches: { ...settings.switches, [name]: event.target.checked } })}
      />
      <span>
        {label}
        <span className="field__help block">{help}</span>
      </span>
    </label>
  )
}
