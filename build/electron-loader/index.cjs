// What `electron <folder>` does in an official Electron, for the pinned development copy that lacks it: loads the app
// in the folder given, and gives it the SQLite module that this older runtime can load.
const { app } = require('electron')
const Module = require('node:module')
const path = require('node:path')

// Switches come before or after the folder; the folder is the first argument that is none.
const folder = path.resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.')
const manifest = require(path.join(folder, 'package.json'))

const sqlite = path.join(process.resourcesPath, 'development-sqlite')
const resolve = Module._resolveFilename
Module._resolveFilename = function (request, ...rest) {
  if (request === 'better-sqlite3') return resolve.call(this, sqlite, ...rest)
  // better-sqlite3 finds its binary through this helper, which is not needed for a known place.
  if (request === 'bindings') return path.join(__dirname, 'bindings.cjs')
  return resolve.call(this, request, ...rest)
}

app.setName(manifest.productName ?? manifest.name)
app.setVersion(manifest.version)
app.setAppPath(folder)
// The first argument is dropped by programs that look behind "electron <folder>".
require(path.join(folder, manifest.main))
