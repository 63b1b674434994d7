// Arguments of a tool call: JSON text in between, an object on Gemini's wire.
import type { JsonObject } from '../canonical'
import { isObject, parseJson } from '../json'

/** null where the text is not the JSON of an object. "" is no arguments at all. */
export function argumentObject(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  return isObject(value) ? value : null
}

/** Free-form calls take text; what a model wrote wrongly is kept too, so that the tool can refuse it and say why. */
export function anyArguments(text: string, freeForm: boolean): JsonObject {
  if (freeForm) return { input: text }
  return argumentObject(text) ?? { _raw: text }
}
