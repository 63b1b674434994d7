// Naming what was left out below the top level of a request.
import type { JsonObject } from '../canonical'
import type { FieldNotes } from '../translation'

/** Notes every member of `object` that is not in `known` and says something. `path` has no indexes and ends in a dot. */
export function noteOthers(object: JsonObject, known: ReadonlySet<string>, path: string, notes: FieldNotes): void {
  for (const name in object) {
    const value = object[name]
    const saysNothing = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
    if (!known.has(name) && !saysNothing) notes.dropped(path + name)
  }
}
