const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** "1,204". */
export const count = (value: number): string => whole.format(value)

/** "1 request", "1,204 requests". */
export const counted = (value: number, one: string, many: string = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** "812", "4.2k", "43k", "1.3M": for narrow columns. */
export function compact(value: number): string {
  if (value < 1000) return count(value)
  const [size, unit] = value < 999_500 ? [value / 1000, 'k'] : [value / 1_000_000, 'M']
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)}${unit}`
}
