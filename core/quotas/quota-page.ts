// Where a provider tells how much of an account's allowance or money is left: columns of its row in the catalogue, taken
// from its public documentation. What the answer looks like is data where it is only an amount of money, and else the
// name of a reader.
import type { PageReader } from './page-readers'

export type QuotaPage = MoneyPage | WindowsPage

interface Page {
  /** Relative to the first endpoint's base URL, or a whole https address. */
  readonly path: string
}

export interface MoneyPage extends Page {
  readonly kind: 'money'
  /** Members on the way to the amount, joined by dots: "data.available_balance". */
  readonly amount: string
  /** How many of its units make one of the currency. */
  readonly unit: number
  /** "USD", or members on the way to it, with a leading dot. */
  readonly currency: string
  /** Members on the way to whether anything can be asked for; null: nobody says. */
  readonly usable: string | null
  /** Nothing can be asked for any more when it is gone: there are no free models, and no bills. */
  readonly endsAtZero: boolean
}

export interface WindowsPage extends Page {
  readonly kind: 'windows'
  readonly reader: PageReader
}

export const moneyPage = (
  fields: Pick<MoneyPage, 'path' | 'amount' | 'currency'> & Partial<Omit<MoneyPage, 'kind'>>,
): MoneyPage => ({ kind: 'money', unit: 1, usable: null, endsAtZero: false, ...fields })
