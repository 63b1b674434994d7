// A combo as people and scripts write it → as it is kept: connections by id, other combos as such, no empty values.
import { COMBO_PREFIX, type Step } from '../contract/combos'
import { badInput } from '../errors'
import { nameFault } from '../routing/resolve-model'

export interface NamedConnection {
  readonly id: string
  readonly provider: string
  readonly name: string
}

export interface StepWorld {
  readonly connections: readonly NamedConnection[]
  /** Whose model this is; null: it cannot be told. */
  readonly providerOf: (model: string) => string | null
}

/**
 * What is neither the id nor the name of a connection stays as it is: it may be one that is gone.
 * @throws GatewayError 400 naming the step's field
 */
export function keptSteps(steps: readonly Step[], world: StepWorld): Step[] {
  return steps.map((step, i) => {
    const path = `steps[${i}]`
    const { model, connection, allowedConnections } = step
    const fault = model === null ? null : nameFault(model)
    if (fault !== null) throw badInput(`${path}.model`, `${fault}.`)
    if (model?.startsWith(COMBO_PREFIX)) return asCombo(step, model, path)
    const provider = model === null ? null : world.providerOf(model)
    const idOf = (given: string, field: string): string => connectionId(given, provider, world.connections, field)
    return {
      ...step,
      connection: connection === null ? null : idOf(connection, `${path}.connection`),
      allowedConnections:
        allowedConnections?.map((given, n) => idOf(given, `${path}.allowedConnections[${n}]`)) ?? null,
    }
  })
}

/** A key whose value is null is as the strategy has it, like one that is not given. */
export const withoutNulls = (config: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))

/** `combo/<name>` written as a model. */
function asCombo(step: Step, model: string, path: string): Step {
  if (step.connection !== null || step.allowedConnections !== null)
    throw badInput(`${path}.connection`, 'a combo has connections of its own.')
  return { ...step, model: null, combo: model.slice(COMBO_PREFIX.length) }
}

function connectionId(
  given: string,
  provider: string | null,
  connections: readonly NamedConnection[],
  field: string,
): string {
  if (connections.some(({ id }) => id === given)) return given
  const named = connections.filter(
    (known) => known.name === given && (provider === null || known.provider === provider),
  )
  if (named.length > 1) {
    const owners = named.map((known) => known.provider).join(', ')
    throw badInput(
      field,
      `${owners} each have a connection "${given}". Give its id, or write the model as provider/model.`,
    )
  }
  return named[0]?.id ?? given
}
