// Words that window and tray share. One word for each state, everywhere.
import type { HealthState, OverallState } from './kinds'

/** A provider, connection or model. */
export const STATE_WORDS: Readonly<Record<HealthState, string>> = {
  healthy: 'Healthy',
  strained: 'Strained',
  resting: 'Resting',
  'needs-you': 'Needs you',
  off: 'Off',
}

/** The whole gateway: the tray's tooltip and the head of the sidebar. */
export const OVERALL_WORDS: Readonly<Record<OverallState, string>> = {
  starting: 'Starting',
  healthy: 'Healthy',
  strained: 'Strained',
  down: 'Down',
  paused: 'Paused',
}
