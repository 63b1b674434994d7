import { expect, it } from 'vitest'
import { defaultDataDir } from '../../../core/node/data-dir'

it.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/me/.config/Breakwater'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/me/.config/Breakwater'],
  ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/Breakwater'],
  ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/home/me/Library/Application Support/Breakwater'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Breakwater'],
  ['win32', { APPDATA: '' }, '/home/me/AppData/Roaming/Breakwater'],
  ['linux', { BREAKWATER_DATA_DIR: '/mine', XDG_CONFIG_HOME: '/xdg' }, '/mine'],
  ['darwin', { BREAKWATER_DATA_DIR: '' }, '/home/me/Library/Application Support/Breakwater'],
])('on %s with %j the data lies in %s', (platform, env, folder) => {
  expect(defaultDataDir(env, platform, '/home/me')).toBe(folder)
})
