// What happened without an error answer: our own outcomes are never blamed on anyone, silence and broken connections count
// like the 504 and 502 they stand for (docs/resilience.md, "What counts against a provider").
import { KIND_OF_REASON } from '../../contract/explain'
import { formOf } from './excerpt'
import type { Incident, IncidentSignal } from './signal'
import type { Verdict } from './verdict'

export function judgeIncident({ incident, provider, model }: IncidentSignal): Verdict {
  const found = findingOf(incident)
  const perModel = found.scope === 'provider' && found.ofModel && provider.perModelQuota
  return {
    ...found.verdict,
    kind: KIND_OF_REASON[found.verdict.reason],
    scope: perModel ? 'model' : found.scope,
    scopeByRule: false,
    model,
    statedWait: null,
    ruleRest: null,
    told: { status: found.verdict.status, retryAfterMs: null },
    rule: incident.kind,
  }
}

interface Found {
  readonly verdict: Pick<Verdict, 'reason' | 'status' | 'lasting' | 'breakerKind' | 'next' | 'message'>
  readonly scope: Verdict['scope']
  /** The model may be slow where the provider is not. */
  readonly ofModel: boolean
}

function findingOf(incident: Incident): Found {
  const next = 'next-connection'
  switch (incident.kind) {
    case 'timeout': {
      const { phase } = incident
      const message = `no ${phase === 'connect' ? 'connection' : phase} in time`
      const verdict = {
        reason: 'timeout',
        status: 504,
        lasting: 'passing',
        breakerKind: 'transient',
        next,
        message,
      } as const
      return { verdict, scope: 'provider', ofModel: phase !== 'connect' }
    }
    case 'network': {
      const message = networkWords(incident.code)
      const common = { reason: 'network_error', status: 502, next, message } as const
      if (OWN_NETWORK.has(incident.code)) {
        return { verdict: { ...common, lasting: 'nothing', breakerKind: null }, scope: 'nobody', ofModel: false }
      }
      const verdict = { ...common, lasting: 'passing', breakerKind: 'transient' } as const
      return { verdict, scope: 'provider', ofModel: false }
    }
    case 'empty': {
      const message = 'the answer had no content'
      const verdict = {
        reason: 'empty_answer',
        status: 502,
        lasting: 'passing',
        breakerKind: null,
        next,
        message,
      } as const
      return { verdict, scope: 'model', ofModel: true }
    }
    case 'unreadable': {
      const message = `the answer is not of the expected form: ${formOf(incident.text)}`
      const verdict = {
        reason: 'server_error',
        status: 502,
        lasting: 'passing',
        breakerKind: null,
        next,
        message,
      } as const
      return { verdict, scope: 'provider', ofModel: true }
    }
    case 'stall': {
      const message = 'the stream stalled: no output of the model in time'
      const verdict = {
        reason: 'stream_stall',
        status: 502,
        lasting: 'stall',
        breakerKind: null,
        next,
        message,
      } as const
      return { verdict, scope: 'connection', ofModel: false }
    }
    case 'throughput': {
      const message = 'the output came too slowly'
      const verdict = {
        reason: 'throughput_too_low',
        status: 502,
        lasting: 'nothing',
        breakerKind: null,
        next,
        message,
      } as const
      return { verdict, scope: 'nobody', ofModel: false }
    }
    case 'aborted': {
      const message = 'the client went away'
      const verdict = {
        reason: 'aborted',
        status: 499,
        lasting: 'nothing',
        breakerKind: null,
        next: 'stop',
        message,
      } as const
      return { verdict, scope: 'nobody', ofModel: false }
    }
    case 'local': {
      const { message } = incident
      const verdict = { reason: 'local', status: 503, lasting: 'nothing', breakerKind: null, next, message } as const
      return { verdict, scope: 'nobody', ofModel: false }
    }
  }
}

/** This machine has no network, no address or no file handle left: it says nothing of the provider. */
const OWN_NETWORK: ReadonlySet<string> = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'])

function networkWords(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens at its address (ECONNREFUSED)'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its host name cannot be resolved (${code})`
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return `it closed the connection before answering (${code})`
    case 'ENETUNREACH':
    case 'ENETDOWN':
      return `this machine has no network (${code})`
    default:
      return `the connection failed (${code})`
  }
}
