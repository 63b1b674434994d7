// A page of a protection service in front of the API instead of the API: it speaks of the visitor's address or browser,
// never of the account behind the key (docs/resilience.md, "Browser challenges").
import type { Rule } from './rule'

const PAGE =
  /just a moment|attention required|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|enable javascript and cookies|cf-chl|challenge-platform|cf_chl|turnstile|captcha|sentinel|browser(?:'s)? signature|ddos protection/
/** Cloudflare's own numbers: 1006–1012 address or browser banned by the site's owner, 1020 a firewall rule. */
const NUMBER = /error(?: code)?:?\s*10(?:0[6-9]|1[0-2]|20)\b/

export const browserChallenge: Rule = {
  id: 'browser-challenge',
  find({ status, headers, json, text, wholeText }) {
    if (status !== 401 && status !== 403 && status !== 429 && status !== 503) return null
    const challenged = headers['cf-mitigated'] === 'challenge'
    const isPage = json === undefined && (PAGE.test(wholeText) || NUMBER.test(text))
    // Some APIs wrap the page's failure in their own JSON.
    const wrapped = status === 403 && /(?:turnstile|sentinel|browser challenge|cloudflare challenge)/.test(text)
    return challenged || isPage || wrapped ? { reason: 'server_error', scope: 'egress', lasting: 'passing' } : null
  },
}
