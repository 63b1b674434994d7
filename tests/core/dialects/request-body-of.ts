import type { DialectModule } from '../../../core/dialects/dialect'
import { JsonScanner } from '../../../core/http/json-scanner'
import { RequestBody } from '../../../core/http/request-body'

/** A request body as the gateway would have read it for this dialect. */
export function requestBodyOf(text: string, { wantedFields }: DialectModule): RequestBody {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner(wantedFields)
  scanner.feed(bytes)
  return new RequestBody([bytes], scanner.end())
}
