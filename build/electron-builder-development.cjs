// How a development build is packed where no official Electron can be had: the same app around the pinned older copy,
// under a name of its own, so that nobody takes it for a release. `npm run dist` gives the folders in the environment.
const { rmSync } = require('node:fs')
const { join } = require('node:path')
const release = require('./electron-builder.cjs')

const { BREAKWATER_PACK_ELECTRON: electronDist, BREAKWATER_PACK_VERSION: electronVersion } = process.env

module.exports = {
  ...release,
  appId: `${release.appId}.development`,
  productName: 'Breakwater Development',
  electronDist,
  electronVersion,
  directories: { ...release.directories, output: 'release/development' },
  extraMetadata: { ...release.extraMetadata, name: 'breakwater-dev', desktopName: 'breakwater-dev.desktop' },
  files: [
    ...release.files.filter((pattern) => !pattern.startsWith('node_modules/')),
    // The SQLite module that loads in this Electron, and the helper by which it finds its binary.
    { from: join(electronDist, 'resources', 'development-sqlite'), to: 'node_modules/better-sqlite3' },
    { from: 'build/packaging/bindings', to: 'node_modules/bindings' },
  ],
  linux: { ...release.linux, target: ['dir'], executableName: 'breakwater-dev' },
  afterPack({ appOutDir }) {
    // What the pinned copy brings for unpacked apps has no place in an installed one.
    for (const name of ['app', 'development-sqlite'])
      rmSync(join(appOutDir, 'resources', name), { recursive: true, force: true })
  },
}
