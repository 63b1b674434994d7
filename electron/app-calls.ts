// The calls that only the desktop shell can answer.
import type { APP_CALLS, CallOutput } from '../core/contract/ipc'
import type { Gateway } from '../core/gateway'
import { isAllowedLink } from './external-links'
import type { CallHandlers } from './ipc-answer'

type AppCallName = keyof typeof APP_CALLS
export type AppCalls = Pick<CallHandlers, AppCallName>
type Copied = CallOutput<'clipboard:copy'>

export interface AppCallDeps {
  readonly gateway: Pick<Gateway, 'status' | 'operations' | 'secrets' | 'mayOpen'>
  readonly writeClipboard: (text: string) => void | Promise<void>
  readonly openExternal: (url: string) => Promise<void>
  readonly openFolder: (path: string) => Promise<string>
  readonly surroundings: () => CallOutput<'app:surroundings'>
  readonly closeWindow: (choice: 'keep' | 'quit' | 'cancel') => void
  readonly quit: () => void
}

export function createAppCalls(deps: AppCallDeps): AppCalls {
  const { gateway } = deps
  const copy = async (text: string | null, why: string): Promise<Copied> => {
    if (text === null) return { copied: false, why }
    await deps.writeClipboard(text)
    return { copied: true, why: '' }
  }
  const catalogueLinks = async (): Promise<(string | null)[]> =>
    (await gateway.operations['providers:list'](undefined)).flatMap(({ docsUrl, source }) => [docsUrl, source.url])
  return {
    'clipboard:copy': async (input) => {
      switch (input.what) {
        case 'address': {
          const { listener } = gateway.status()
          return copy(listener.kind === 'listening' ? listener.url : null, 'The gateway is not listening.')
        }
        case 'client-key':
          return copy(
            gateway.secrets.clientKey(input.keyId),
            'This key was made in an earlier run: only its fingerprint was kept. Make a new key to copy one.',
          )
        case 'snippet':
          return copy(
            gateway.secrets.snippet(input.tool, input.keyId, input.model),
            'There are no settings for this tool.',
          )
        case 'text':
          return copy(input.text, '')
      }
    },
    'app:open-external': async ({ url }) => {
      // The page of a sign-in under way; an address of the person's own, https or on this machine.
      if (gateway.mayOpen(url)) await deps.openExternal(url)
      else if (isAllowedLink(url, await catalogueLinks())) await deps.openExternal(url)
      return null
    },
    'app:open-data-folder': async () => {
      await deps.openFolder(gateway.status().dataDir)
      return null
    },
    'app:surroundings': async () => deps.surroundings(),
    'window:close': async ({ choice }) => {
      deps.closeWindow(choice)
      return null
    },
    'app:quit': async () => {
      deps.quit()
      return null
    },
  }
}
