// The model or the provider is busy for everyone, whatever the status it is written with.
import { type Evidence, hasCode, type Rule } from './rule'

const CODES =
  /overloaded|^(?:model_capacity_exhausted|service_tier_capacity_exceeded|queue_exceeded|queue_full|modelnotreadyexception|capacity_exceeded|slow_down|no_capacity|nocapacity|system_busy)$/

const PHRASES: readonly RegExp[] = [
  /\boverload(?:ed)?\b|\bover capacity\b|\bat (?:full |maximum )?capacity\b|\bno capacity\b/,
  /\bcapacity (?:is |has been )?(?:temporarily )?(?:exceeded|exhausted|reached|unavailable)\b|\b(?:exceeded|insufficient|limited) capacity\b/,
  /\b(?:high|heavy|increased|peak|unprecedented) (?:demand|traffic|load|volume)\b/,
  /\b(?:servers?|system|model|service|engine|upstream|provider|backend)\b (?:is |are )?(?:currently |temporarily |too |very )*(?:busy|saturated|congested)\b|\btoo busy\b/,
  /\bdegraded function\b|\bdegraded\b[^.]{0,20}cannot be invoked/,
  /负载|負載|饱和|飽和|繁忙|访问量过大|拥挤|过载|過載|系统忙|服务忙/,
]
/** The refusal names a limit of this account, and busy times are only its reason. */
const OWN_LIMIT = /rate.?limit|too many requests|速率限制/

export const speaksOfOverload = (evidence: Evidence): boolean =>
  hasCode(evidence, CODES) || PHRASES.some((phrase) => phrase.test(evidence.text))

export const overload: Rule = {
  id: 'overload',
  find(evidence) {
    const { status, text } = evidence
    if (status < 429 && status !== 400 && status !== 403 && status !== 408 && status !== 420) return null
    if (!speaksOfOverload(evidence)) return null
    if (status === 429 && OWN_LIMIT.test(text)) return null
    return { reason: 'model_capacity', ...(status === 400 && { lasting: 'nothing' as const }) }
  },
}
