// Which addresses the window may hand to the browser: https pages that the provider catalogue names, nothing else.
export function isAllowedLink(url: string, allowed: Iterable<string | null>): boolean {
  const wanted = normalise(url)
  if (wanted === null) return false
  for (const known of allowed) if (known !== null && normalise(known) === wanted) return true
  return false
}

function normalise(url: string): string | null {
  try {
    const parsed = new URL(url)
    if (parsed.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return null
    return parsed.href
  } catch {
    return null
  }
}
