// Stands in for the `bindings` package in a development build: there is one binary, and its place is known.
const path = require('node:path')

module.exports = (name) => require(path.join(__dirname, '..', 'better-sqlite3', 'build', 'Release', name))
