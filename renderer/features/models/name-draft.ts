// A name of the user's own: what is entered, and what of it is sent. Pure.
import type { CallInput, IpcError } from '../../../core/contract/ipc'
import type { AliasView } from '../../../core/contract/model-views'
import { messageAtField } from '../../app/error-words'
import { sentence } from '../../app/sentence'

export interface NameDraft {
  readonly pattern: string
  readonly target: string
  /** A client key's id; empty: for all keys. */
  readonly keyId: string
}

export interface NameErrors {
  readonly pattern?: string
  readonly target?: string
  readonly keyId?: string
  readonly general?: string
}

export const emptyName = (target: string): NameDraft => ({ pattern: '', target, keyId: '' })

export const nameDraftOf = ({ pattern, target, clientKeyId }: AliasView): NameDraft => ({
  ...{ pattern, target },
  keyId: clientKeyId ?? '',
})

export function checkName({ pattern, target }: NameDraft): NameErrors {
  return {
    ...(pattern.trim() === '' ? { pattern: 'Enter the name that a tool asks for.' } : {}),
    ...(target.trim() === ''
      ? { target: 'Enter the model it leads to.' }
      : target.includes('*')
        ? { target: 'It must be one model, without "*".' }
        : {}),
  }
}

export const toAddName = ({ pattern, target, keyId }: NameDraft): CallInput<'aliases:add'> => ({
  ...{ pattern: pattern.trim(), target: target.trim() },
  clientKeyId: keyId === '' ? null : keyId,
})

/** null: nothing differs. */
export function toUpdateName(draft: NameDraft, alias: AliasView): CallInput<'aliases:update'> | null {
  const { pattern, target, clientKeyId } = toAddName(draft)
  const same = pattern === alias.pattern && target === alias.target && clientKeyId === alias.clientKeyId
  return same ? null : { id: alias.id, pattern, target, clientKeyId: clientKeyId ?? null }
}

/** A refusal at the field it is about. */
export function placeNameError(error: IpcError): NameErrors {
  const message = messageAtField(error)
  if (error.field === 'pattern' || error.field === 'target') return { [error.field]: message }
  return error.field === 'clientKeyId' ? { keyId: message } : { general: message }
}

/** Why a name is broken, for a place that shows the name and its target already. */
export function brokenWords({ pattern, target, broken }: AliasView): string {
  const known = `"${pattern}" stands for "${target}". `
  return broken === null ? '' : sentence(broken.startsWith(known) ? broken.slice(known.length) : broken)
}

const SUGGESTED = 50

/** Models to choose from while a name is typed; not thousands of them. */
export function suggestions(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase()
  const found: string[] = []
  for (const name of names) {
    if (name.toLowerCase().includes(wanted)) found.push(name)
    if (found.length === SUGGESTED) break
  }
  return found
}
