// What a start does once the data is open: takes over a configuration file, and makes sure there is a key to call with.
import { readFileSync } from 'node:fs'
import type { Gateway } from '../core/gateway'
import type { Logger } from '../core/host'
import { importInto } from '../core/management/config-exchange'

/** Returns what went wrong with the import, in words for the person, or null. */
export async function prepareData(gateway: Gateway, importFile: string | null, log: Logger): Promise<string | null> {
  const parts = gateway.parts()
  if (parts === null) return null
  let trouble: string | null = null
  if (importFile !== null) {
    try {
      await importInto(parts, readFileSync(importFile, 'utf8'))
    } catch (error) {
      trouble = `${importFile} was not taken over: ${error instanceof Error ? error.message : String(error)}`
      log.error({ file: importFile }, trouble)
    }
  }
  // The wizard shows it masked and copies it; it is not written anywhere.
  parts.keys.createFirst()
  return trouble
}
