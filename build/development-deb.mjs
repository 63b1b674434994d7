// A .deb made with Debian's own dpkg-deb from the unpacked app: for development builds, which need no helper programs
// from a release host.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { during, root } from './context.mjs'
import { run } from './programs.mjs'
import { folderBytes } from './sizes.mjs'
import { WINDOW_PACKAGES } from './system-libraries.mjs'

const NAME = 'breakwater-dev'
const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512]

/**
 * @param unpacked the folder electron-builder made
 * @param output the folder to write to
 * @returns {Promise<{ file: string, bytes: number }>}
 */
export async function makeDevelopmentDeb(unpacked, output) {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const tree = join(output, 'deb')
  const file = join(output, `${NAME}_${version}_amd64.deb`)
  rmSync(tree, { recursive: true, force: true })
  const into = (...parts) => {
    const folder = join(tree, ...parts)
    mkdirSync(folder, { recursive: true })
    return folder
  }
  const app = into('opt', NAME)
  cpSync(unpacked, app, { recursive: true, preserveTimestamps: true })
  // Chromium's sandbox for systems without user namespaces works only as root's own program.
  chmodSync(join(app, 'chrome-sandbox'), 0o4755)
  symlinkSync(`/opt/${NAME}/${NAME}`, join(into('usr', 'bin'), NAME))
  cpSync(
    join(root, 'build', 'packaging', `${NAME}.desktop`),
    join(into('usr', 'share', 'applications'), `${NAME}.desktop`),
  )
  cpSync(join(root, 'LICENSE'), join(into('usr', 'share', 'doc', NAME), 'copyright'))
  for (const size of ICON_SIZES) {
    const folder = into('usr', 'share', 'icons', 'hicolor', `${size}x${size}`, 'apps')
    cpSync(join(root, 'build', 'icons', `${size}x${size}.png`), join(folder, `${NAME}.png`))
  }
  const control = {
    Package: NAME,
    Version: version,
    Architecture: 'amd64',
    Maintainer: 'Breakwater contributors <noreply@breakwater.invalid>',
    'Installed-Size': Math.ceil(folderBytes(tree) / 1024),
    Depends: WINDOW_PACKAGES.join(', '),
    Section: 'net',
    Priority: 'optional',
    Description: `Breakwater, development build on an older Electron: not a release\n ${description}`,
  }
  const text = Object.entries(control).map(([key, value]) => `${key}: ${value}\n`)
  writeFileSync(join(into('DEBIAN'), 'control'), text.join(''))
  await during('Making the Debian package', () =>
    run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', tree, file], { quiet: true }),
  )
  rmSync(tree, { recursive: true, force: true })
  return { file, bytes: statSync(file).size }
}
