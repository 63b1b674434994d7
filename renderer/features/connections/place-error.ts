// Where in the form of a connection a refusal of the core is shown. Pure.
import type { IpcError } from '../../../core/contract/ipc'
import type { ProviderView } from '../../../core/contract/views'
import { messageAtField } from '../../app/error-words'
import type { DraftErrors, DraftField } from './draft'

/** Puts a refusal next to the field it is about; what has no field is said at the foot of the form. */
export function placeError(
  error: IpcError,
  shown: readonly DraftField[],
): {
  errors: DraftErrors
  general: string | null
} {
  const field = shown.find((each) => each === error.field)
  return field === undefined
    ? { errors: {}, general: error.message }
    : { errors: { [field]: messageAtField(error) }, general: null }
}

/** The fields of the form of a provider, or of an endpoint that is not one yet. */
export const formFields = (provider: ProviderView | null): readonly DraftField[] => [
  ...(['label', 'name', 'baseUrl', 'apiKey', 'priority'] as const),
  ...(provider?.options.map(({ key }) => `options.${key}` as const) ?? []),
]

/** What is entered to sign in. */
export const SIGN_IN_FIELDS: readonly DraftField[] = [
  ...(['authorizeUrl', 'deviceUrl', 'tokenUrl', 'clientId', 'clientSecret'] as const),
  ...(['scopes', 'accessToken', 'refreshToken'] as const),
]
