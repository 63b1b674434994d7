// What `electron <folder>` does in an official Electron, for the pinned development copy that lacks it: loads the app
// in the folder given, and gives it the SQLite module that this older runtime can load.
const { app } = require('electron')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')

// Switches and their values come before or after the folder: it is the first argument in which an app lies.
const isApp = (argument) => !argument.startsWith('-') && fs.existsSync(path.join(argument, 'package.json'))
const given = process.argv.slice(1).find(isApp)
if (given === undefined) {
  process.stderr.write('No app: give its folder, as in "electron <folder>".\n')
  app.exit(1)
} else {
  redirectSqlite()
  load(path.resolve(given))
}

function redirectSqlite() {
  const sqlite = path.join(process.resourcesPath, 'development-sqlite')
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (request, ...rest) {
    if (request === 'better-sqlite3') return resolve.call(this, sqlite, ...rest)
    // better-sqlite3 finds its binary through this helper, which is not needed for a known place.
    if (request === 'bindings') return path.join(__dirname, 'bindings.cjs')
    return resolve.call(this, request, ...rest)
  }
}

function load(folder) {
  const manifest = require(path.join(folder, 'package.json'))
  app.setName(manifest.productName ?? manifest.name)
  app.setVersion(manifest.version)
  app.setAppPath(folder)
  app.setPath('userData', path.join(app.getPath('appData'), app.getName()))
  require(path.join(folder, manifest.main))
}
