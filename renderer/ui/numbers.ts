const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** "1,204". */
export const count = (value: number): string => whole.format(value)

/** "1 request", "1,204 requests". */
export const counted = (value: number, one: string, many: string = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`
