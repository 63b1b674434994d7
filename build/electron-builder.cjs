// How a release is packed: `npm run dist`, with the official Electron only. Code and window are bundled, so that the
// only module left in node_modules is the database, with the one binary its platform needs.

/** Packages for Debian and Fedora must name a home page; ".invalid" says that this build has none. */
const homepage =
  process.env.GITHUB_REPOSITORY === undefined
    ? 'https://breakwater.invalid'
    : `${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}`

const onBoth = ['x64', 'arm64']

module.exports = {
  appId: 'app.breakwater.desktop',
  productName: 'Breakwater',
  copyright: 'MIT licence, Breakwater contributors',
  // No spaces: some hosts rename such files, and updates then look for a name that is not there.
  artifactName: `\${name}-\${version}-\${os}-\${arch}.\${ext}`,
  directories: { output: 'release', buildResources: 'build/packaging' },
  extraMetadata: { homepage, desktopName: 'breakwater.desktop' },
  files: [
    'package.json',
    'LICENSE',
    'dist/electron/*.cjs',
    'dist/renderer/**',
    'electron/assets/**',
    'migrations/**',
    'build/icons/256x256.png',
    '!**/*.map',
    '!node_modules/**',
    'node_modules/better-sqlite3/{package.json,LICENSE,lib/**}',
    `node_modules/better-sqlite3/prebuilds/\${platform}-\${arch}.node`,
  ],
  asar: true,
  asarUnpack: ['**/*.node'],
  electronLanguages: ['en-US'],
  // The database's binary works in every Electron of this line as it comes.
  npmRebuild: false,
  publish: null,
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    resetAdHocDarwinSignature: true,
  },
  mac: {
    target: [
      { target: 'dmg', arch: onBoth },
      { target: 'zip', arch: onBoth },
    ],
    icon: 'build/icons/icon.icns',
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    entitlements: 'build/packaging/entitlements.plist',
    entitlementsInherit: 'build/packaging/entitlements.plist',
    // A tray app: it has a place in the dock only while its window is open, which the app decides itself.
    extendInfo: { LSMinimumSystemVersion: '12.0' },
  },
  win: { target: [{ target: 'nsis', arch: onBoth }], icon: 'build/icons/icon.ico' },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },
  linux: {
    target: [
      { target: 'AppImage', arch: onBoth },
      { target: 'deb', arch: onBoth },
      { target: 'rpm', arch: onBoth },
    ],
    icon: 'build/icons',
    executableName: 'breakwater',
    syncDesktopName: true,
    maintainer: 'Breakwater contributors',
    category: 'Development;Network',
    synopsis: 'A local AI gateway in the system tray',
    desktop: { entry: { StartupWMClass: 'breakwater', Keywords: 'AI;gateway;proxy;LLM;' } },
  },
}
