import { describe, expect, it } from 'vitest'
import { type AppCallDeps, createAppCalls } from '../../electron/app-calls'
import { aProvider, aStatus } from './samples'

const SIGN_IN = 'http://127.0.0.1:4444/authorize?state=1'

function begin() {
  const opened: string[] = []
  const gateway = {
    status: aStatus,
    operations: { 'providers:list': async () => [aProvider()] },
    secrets: {},
    mayOpen: (url: string) => url === SIGN_IN,
  }
  const calls = createAppCalls({
    gateway: gateway as unknown as AppCallDeps['gateway'],
    writeClipboard: () => {},
    openExternal: async (url) => void opened.push(url),
    openFolder: async () => '',
    surroundings: () => ({ trayVisible: true, platform: 'linux', electron: '45', developmentRuntime: false }),
    closeWindow: () => {},
    quit: () => {},
  })
  return { opened, open: (url: string) => calls['app:open-external']({ url }) }
}

describe('a link of the window', () => {
  it('is opened where the catalogue or a sign-in under way names it', async () => {
    const { opened, open } = begin()
    const { docsUrl, source } = aProvider()
    for (const url of [docsUrl ?? '', source.url, SIGN_IN]) await open(url)
    expect(opened).toEqual([docsUrl, source.url, SIGN_IN])
  })

  it.each(['https://elsewhere.example', 'http://127.0.0.1:4444/authorize?state=2', 'file:///etc/passwd', ''])(
    'is left alone where nobody does: %s',
    async (url) => {
      const { opened, open } = begin()
      await open(url)
      expect(opened).toEqual([])
    },
  )
})
