/** What the fake core answers with instead of a value. Development only. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly field: string | null = null,
  ) {
    super(message)
  }
}
