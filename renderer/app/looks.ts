// Every state as shape + word + colour, in one place.
import type { HealthState, OverallState } from '../../core/contract/kinds'
import { OVERALL_WORDS, STATE_WORDS } from '../../core/contract/texts'
import type { AttemptView, RequestView } from '../../core/contract/views'
import type { Shape, StateLook, Tone } from '../ui/state-shape'

const look = (shape: Shape, tone: Tone, word: string): StateLook => ({ shape, tone, word })

export const STATE_LOOKS: Readonly<Record<HealthState, StateLook>> = {
  healthy: look('check', 'ok', STATE_WORDS.healthy),
  strained: look('triangle', 'warn', STATE_WORDS.strained),
  resting: look('clock', 'warn', STATE_WORDS.resting),
  'needs-you': look('square', 'down', STATE_WORDS['needs-you']),
  off: look('hollow', 'idle', STATE_WORDS.off),
}

export const OVERALL_LOOKS: Readonly<Record<OverallState, StateLook>> = {
  starting: look('dashed', 'idle', OVERALL_WORDS.starting),
  healthy: look('check', 'ok', OVERALL_WORDS.healthy),
  strained: look('triangle', 'warn', OVERALL_WORDS.strained),
  down: look('cross', 'down', OVERALL_WORDS.down),
  paused: look('pause', 'idle', OVERALL_WORDS.paused),
}

export const OUTCOME_LOOKS: Readonly<Record<RequestView['outcome'], StateLook>> = {
  ok: look('check', 'ok', 'Answered'),
  failed: look('cross', 'down', 'Failed'),
  aborted: look('hollow', 'idle', 'Stopped'),
  truncated: look('triangle', 'warn', 'Cut off'),
}

export const ATTEMPT_LOOKS: Readonly<Record<AttemptView['outcome'], StateLook>> = {
  ok: look('check', 'ok', 'Answered'),
  failed: look('cross', 'down', 'Failed'),
  aborted: look('hollow', 'idle', 'Stopped'),
}
