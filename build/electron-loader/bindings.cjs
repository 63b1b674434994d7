// Stands in for the `bindings` package: there is one binary, and its place is known.
const path = require('node:path')

module.exports = (name) => require(path.join(process.resourcesPath, 'development-sqlite', 'build', 'Release', name))
