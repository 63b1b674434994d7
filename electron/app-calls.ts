// The calls that only the desktop shell can answer.
import { app, clipboard, shell } from 'electron'
import type { z } from 'zod'
import type { APP_CALLS, CallOutput } from '../core/contract/ipc'
import type { Gateway } from '../core/gateway'
import { openExternal } from './window'

type AppCallName = keyof typeof APP_CALLS
type Input<N extends AppCallName> = z.output<(typeof APP_CALLS)[N]['input']>

export interface ShellParts {
  readonly gateway: Gateway
  readonly trayVisible: () => Promise<boolean>
  readonly close: (choice: 'keep' | 'quit' | 'cancel') => void
  readonly quit: () => void
}

export function createAppCalls({ gateway, trayVisible, close, quit }: ShellParts) {
  const copyText = (input: Input<'clipboard:copy'>): string | null => {
    switch (input.what) {
      case 'address': {
        const { listener } = gateway.status()
        return listener.kind === 'listening' ? listener.url : null
      }
      case 'client-key':
        return gateway.secrets.clientKey(input.keyId)
      case 'snippet':
        return gateway.secrets.snippet(input.tool, input.keyId, input.model)
      case 'text':
        return input.text
    }
  }
  return {
    'clipboard:copy': async (input: Input<'clipboard:copy'>): Promise<CallOutput<'clipboard:copy'>> => {
      const text = copyText(input)
      if (text === null) {
        const why =
          input.what === 'address'
            ? 'The gateway is not listening.'
            : 'This key was made in an earlier run and is stored as a hash only. Make a new one under Keys.'
        return { copied: false, why }
      }
      // In newer versions this returns a promise.
      await clipboard.writeText(text)
      return { copied: true, why: '' }
    },
    'app:open-external': async ({ url }: Input<'app:open-external'>) => {
      const providers = gateway.parts() === null ? [] : await gateway.operations['providers:list'](undefined)
      const hosts = new Set(providers.flatMap(({ docsUrl }) => (docsUrl === null ? [] : [new URL(docsUrl).host])))
      await openExternal(url, hosts)
      return null
    },
    'app:open-data-folder': async () => {
      await shell.openPath(gateway.status().dataDir)
      return null
    },
    'app:surroundings': async (): Promise<CallOutput<'app:surroundings'>> => ({
      trayVisible: await trayVisible(),
      platform: process.platform,
      electron: process.versions.electron,
      developmentRuntime: !app.isPackaged,
    }),
    'window:close': async ({ choice }: Input<'window:close'>) => {
      close(choice)
      return null
    },
    'app:quit': async () => {
      quit()
      return null
    },
  }
}
