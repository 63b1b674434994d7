// The shell's small decisions: arguments, closing, links, files, bounds, autostart, quitting.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerFile, fileOf } from '../../electron/app-files'
import { ownArguments, parseAppArguments } from '../../electron/arguments'
import { autostartEntry, autostartPath } from '../../electron/autostart-file'
import { type CloseSituation, onClose } from '../../electron/close-behaviour'
import { contentSecurityPolicy } from '../../electron/csp'
import { isAllowedLink } from '../../electron/external-links'
import { createLoginItem } from '../../electron/login-item'
import { exitCodeOf, Quit } from '../../electron/quit'
import { ReloadBudget } from '../../electron/reload-budget'
import { usableBounds } from '../../electron/window-bounds'
import { aStatus, keptLog } from './samples'

describe('arguments', () => {
  it('are found among those of others', () => {
    const argv = [
      '/app',
      '--no-sandbox',
      '--inspect=0',
      '--data-dir',
      '/d',
      '--port=4600',
      '--hidden',
      'file.txt',
      '--x',
      'y',
    ]
    expect(ownArguments(argv)).toEqual(['--data-dir', '/d', '--port', '4600', '--hidden'])
    expect(parseAppArguments(argv)).toMatchObject({ dataDir: '/d', flags: { port: '4600', hidden: 'true' } })
  })
  it('that are wrong are refused', () => {
    expect(() => parseAppArguments(['--port', 'many'])).toThrow('--port many')
  })
})

describe('closing the window', () => {
  const usual: CloseSituation = {
    closeAction: 'keep',
    trayVisible: true,
    hintShown: true,
    askPending: false,
    pageWorks: true,
  }
  it.each<[string, Partial<CloseSituation>, ReturnType<typeof onClose>]>([
    ['hides into the tray', {}, 'hide'],
    ['explains itself once', { hintShown: false }, 'hide-with-hint'],
    ['quits where the setting says so', { closeAction: 'quit', trayVisible: false }, 'quit'],
    ['asks where no tray is seen', { trayVisible: false }, 'ask'],
    ['asks natively when the page has not answered', { trayVisible: false, askPending: true }, 'ask-natively'],
    ['asks natively when the page cannot', { trayVisible: false, pageWorks: false }, 'ask-natively'],
  ])('%s', (_name, part, outcome) => {
    expect(onClose({ ...usual, ...part })).toBe(outcome)
  })
})

describe('links to the outside', () => {
  const docs = ['https://platform.openai.com/api-keys', null]
  it.each([
    ['https://platform.openai.com/api-keys', true],
    ['https://platform.openai.com/other', false],
    ['http://platform.openai.com/api-keys', false],
    ['https://platform.openai.com.evil.example/api-keys', false],
    ['https://user@platform.openai.com/api-keys', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('%s: %s', (url, allowed) => {
    expect(isAllowedLink(url, docs)).toBe(allowed)
  })
})

describe('the window’s files', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'breakwater-files-'))
    writeFileSync(join(folder, 'index.html'), '<meta content="__CSP_NONCE__">')
    writeFileSync(join(folder, 'app.js'), 'run()')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    'app://breakwater/../secret.json',
    'app://breakwater/%2e%2e/%2e%2e/secret.json',
    'app://breakwater/..%2fsecret.json',
    'app://breakwater/..%5csecret.json',
    'app://breakwater/a%00.html',
    'app://breakwater/%zz.html',
    'app://other/index.html',
    'https://breakwater/index.html',
    'app://breakwater/main.cjs.map',
    'app://breakwater/',
  ])('%s stays within the folder or is nothing', (address) => {
    const file = fileOf(folder, address)
    expect(file === null || file.path.startsWith(folder)).toBe(true)
    if (/map$|^https|other|%00|%5c|%zz/.test(address)) expect(file).toBeNull()
  })

  it('a document gets a nonce of its own, in its policy and in its text', async () => {
    const answers = await Promise.all([1, 2].map(() => answerFile(folder, { method: 'GET', url: 'app://breakwater/' })))
    const nonces = await Promise.all(
      answers.map(async (answer) => {
        const nonce = /content="([\w-]{16,})"/.exec(await answer.text())?.[1] ?? ''
        expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy(nonce))
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
  })

  it('scripts have their type; what is missing or written is refused', async () => {
    const script = await answerFile(folder, { method: 'GET', url: 'app://breakwater/app.js' })
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect((await answerFile(folder, { method: 'GET', url: 'app://breakwater/none.js' })).status).toBe(404)
    expect((await answerFile(folder, { method: 'POST', url: 'app://breakwater/app.js' })).status).toBe(405)
  })
})

describe('bounds', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 }
  it('come back where a screen still shows them', () => {
    expect(usableBounds({ x: 100, y: 50, width: 1000, height: 700 }, [screen])).toEqual({
      x: 100,
      y: 50,
      width: 1000,
      height: 700,
    })
  })
  it('keep their size only where the screen has gone', () => {
    expect(usableBounds({ x: 3000, y: 50, width: 1000, height: 700 }, [screen])).toEqual({ width: 1000, height: 700 })
    expect(usableBounds({ x: 0, y: -500, width: 1000, height: 700 }, [screen])).toEqual({ width: 1000, height: 700 })
  })
  it('are never smaller than usable', () => {
    expect(usableBounds({ x: 0, y: 0, width: 10, height: 10 }, [screen])).toEqual({
      x: 0,
      y: 0,
      width: 900,
      height: 600,
    })
    expect(usableBounds(undefined, [screen])).toEqual({ width: 1180, height: 760 })
  })
})

describe('starting at login', () => {
  it('is an XDG desktop entry whose command survives spaces and signs', () => {
    const entry = autostartEntry(['/opt/My App/breakwater', '--data-dir', '/d/50%"$x`\\', '--hidden'])
    expect(entry).toContain('Exec="/opt/My App/breakwater" "--data-dir" "/d/50%%\\\\"\\\\$x\\\\`\\\\\\\\" "--hidden"')
    expect(entry.startsWith('[Desktop Entry]\n')).toBe(true)
    expect(autostartPath({ XDG_CONFIG_HOME: '/c' }, '/home/a')).toBe('/c/autostart/breakwater.desktop')
    expect(autostartPath({}, '/home/a')).toBe('/home/a/.config/autostart/breakwater.desktop')
  })

  it('is told to the system with both switches, and not touched at a start that does not want it', () => {
    const told: unknown[] = []
    const app = {
      isPackaged: true,
      getAppPath: () => '/app',
      setLoginItemSettings: (wanted: unknown) => void told.push(wanted),
    }
    const apply = createLoginItem({ app, platform: 'win32', env: {}, log: keptLog(), dataDir: null })
    apply({ startAtLogin: false, startHidden: false })
    expect(told).toEqual([])
    apply({ startAtLogin: true, startHidden: true })
    apply({ startAtLogin: true, startHidden: true })
    apply({ startAtLogin: false, startHidden: true })
    expect(told).toEqual([
      { openAtLogin: true, args: ['--hidden'] },
      { openAtLogin: false, args: ['--hidden'] },
    ])
  })
})

describe('quitting', () => {
  const asked = () => {
    let prevented = 0
    return { event: { preventDefault: () => void prevented++ }, count: () => prevented }
  }
  it('holds the app until the gateway has stopped, then ends once', async () => {
    const order: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const quit = new Quit({
      vanish: () => order.push('vanish'),
      stop: () => promise.then(() => void order.push('stopped')),
      exit: () => {
        order.push('exit')
        ended.resolve()
      },
      onLate: () => order.push('late'),
    })
    const { event, count } = asked()
    quit.onBeforeQuit(event)
    quit.onBeforeQuit(event)
    expect(quit.asked).toBe(true)
    resolve()
    await ended.promise
    expect(order).toEqual(['vanish', 'stopped', 'exit'])
    expect(count()).toBe(2)
  })
  it('does not wait longer than the deadline', async () => {
    const ended = Promise.withResolvers<string>()
    let late = false
    new Quit({
      vanish: () => {},
      stop: () => new Promise(() => {}),
      exit: () => ended.resolve(late ? 'late' : 'early'),
      onLate: () => {
        late = true
      },
      deadlineMs: 5,
    }).onBeforeQuit(asked().event)
    expect(await ended.promise).toBe('late')
  })
  it('ends with 5 where the data was refused', () => {
    expect(exitCodeOf(aStatus())).toBe(0)
    expect(exitCodeOf(aStatus({ listener: { kind: 'database-refused', file: 'f', message: 'm', wayOut: 'w' } }))).toBe(
      5,
    )
  })
})

describe('reloads of a crashing page', () => {
  it('are limited in time', () => {
    let now = 0
    const budget = new ReloadBudget(() => now)
    expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([true, true, true, false])
    now = 61_000
    expect(budget.take()).toBe(true)
  })
})
