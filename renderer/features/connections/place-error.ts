// Where in the form of a connection a refusal of the core is shown. Pure.
import type { IpcError } from '../../../core/contract/ipc'
import type { ProviderView } from '../../../core/contract/views'
import { messageAtField } from '../../app/error-words'
import type { DraftErrors, DraftField } from './draft'
import { SETTINGS_FIELDS } from './settings-draft'

/** Puts a refusal next to the field it is about; what has no field is said at the foot of the form. */
export function placeError(
  error: IpcError,
  shown: readonly DraftField[],
): {
  errors: DraftErrors
  general: string | null
} {
  // A field of several lines is meant by each of them: "settings.rateLimitOverrides.modelConcurrency.glm-5".
  const field = shown.find((each) => each === error.field || error.field?.startsWith(`${each}.`))
  return field === undefined
    ? { errors: {}, general: error.message }
    : { errors: { [field]: messageAtField(error) }, general: null }
}

/** The fields of the form of a provider, or of an endpoint that is not one yet. */
export const formFields = (provider: ProviderView | null): readonly DraftField[] => [
  ...(['label', 'name', 'baseUrl', 'apiKey', 'priority', 'proxy'] as const),
  ...(provider?.options.map(({ key }) => `options.${key}` as const) ?? []),
  ...SETTINGS_FIELDS,
]

/** What is entered to sign in. */
export const SIGN_IN_FIELDS: readonly DraftField[] = [
  ...(['authorizeUrl', 'deviceUrl', 'tokenUrl', 'clientId', 'clientSecret'] as const),
  ...(['scopes', 'accessToken', 'refreshToken'] as const),
]
