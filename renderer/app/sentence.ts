/** A capital at the start and a full stop at the end, where they are missing. A name before a colon stays as it is. */
export function sentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const named = /^[^.:]+: /.test(trimmed)
  const capital = named ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.…?]$/.test(capital) ? capital : `${capital}.`
}
