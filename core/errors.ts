// Errors with a code for machines, a status for HTTP and a sentence for people that says what to do next.

export class GatewayError extends Error {
  constructor(
    /** Wire word: stays the same when the sentence changes. */
    readonly code: string,
    readonly httpStatus: number,
    message: string,
    readonly details: {
      /** Path of the input this is about: "connections[1].apiKey". */
      readonly field?: string
      /** Whole seconds until a retry makes sense. */
      readonly retryAfterS?: number
      /** The moment of that, ISO 8601. */
      readonly resetAt?: string
      /** More members of the error object, for machines. */
      readonly members?: object
      /** More headers of the answer, as a flat list. */
      readonly headers?: readonly string[]
      readonly diagnostics?: object
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'GatewayError'
  }
}

/** Input that cannot be used as it is: names the field ("" for the whole) and what it accepts. */
export const badInput = (field: string, message: string): GatewayError =>
  field === ''
    ? new GatewayError('bad_input', 400, message)
    : new GatewayError('bad_input', 400, `${field}: ${message}`, { field })

export const notFound = (what: string, id: string): GatewayError =>
  new GatewayError('not_found', 404, `There is no ${what} "${id}". It may have been removed meanwhile.`)
