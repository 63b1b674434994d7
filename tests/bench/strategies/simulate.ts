// One day of requests, or a part of it, under one strategy.
import type { SetConfig } from '../../../core/contract/combo-config'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import { alone, comboOf } from './combos'
import { HOUR_MS, SimGateway, type WorldOptions } from './gateway'
import { seeded } from './luck'
import { start } from './processes'
import { RequestRun } from './request-run'
import { type Result, Tally } from './tally'
import { trafficOf } from './traffic'
import { fusionRun, pipelineRun, type RunOf } from './whole-run'

/** The last requests may end afterwards. */
const AFTERWARDS_MS = HOUR_MS

export function simulate(strategy: AnyStrategyName, world: WorldOptions, config: SetConfig = {}): Result {
  const gateway = new SimGateway(world)
  const { clock } = gateway
  const combo = comboOf(strategy, config, gateway)
  const tally = new Tally(combo, gateway.upstream.keys())
  const random = seeded(world.seed + 2)
  const from = world.from * HOUR_MS
  const to = world.to * HOUR_MS
  for (const request of trafficOf(world.seed).filter(({ at }) => at >= from && at < to)) {
    clock.advance(request.at - gateway.at)
    const runOf: RunOf = (one, member) =>
      member === undefined
        ? new RequestRun(combo, one, gateway, random, tally)
        : new RequestRun(alone(combo, member), one, gateway, random, tally.aside)
    if (strategy === 'fusion' || strategy === 'pipeline') {
      const whole = strategy === 'fusion' ? fusionRun : pipelineRun
      start(whole(request, runOf, gateway), clock, (firstMs) => tally.finished(firstMs))
    } else {
      const run = runOf(request)
      start(run.answer(), clock, (answered) => tally.finished(answered ? run.firstMs : null))
    }
  }
  clock.advance(AFTERWARDS_MS)
  gateway.health.close()
  return tally.result()
}
