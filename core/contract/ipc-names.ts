// The names of the contract without its schemas, for the preload: it runs sandboxed and must stay small. The compiler
// holds the lists to the contract in both directions.
import type { AnyPushName, CallName } from './ipc'

const calls = {
  'gateway:status': 1,
  'gateway:retry': 1,
  'gateway:pause': 1,
  'settings:list': 1,
  'settings:change': 1,
  'vault:choose': 1,
  'providers:list': 1,
  'providers:add': 1,
  'providers:remove': 1,
  'providers:discover': 1,
  'connections:add': 1,
  'connections:update': 1,
  'connections:remove': 1,
  'connections:restore': 1,
  'connections:test': 1,
  'oauth:begin': 1,
  'oauth:state': 1,
  'oauth:cancel': 1,
  'oauth:refresh': 1,
  'keys:list': 1,
  'keys:create': 1,
  'keys:remove': 1,
  'log:list': 1,
  'metrics:recent': 1,
  'models:list': 1,
  'models:edit': 1,
  'models:add': 1,
  'models:remove': 1,
  'models:refresh': 1,
  'aliases:list': 1,
  'aliases:add': 1,
  'aliases:update': 1,
  'aliases:remove': 1,
  'tools:snippets': 1,
  'try:send': 1,
  'clipboard:copy': 1,
  'app:open-external': 1,
  'app:open-data-folder': 1,
  'app:surroundings': 1,
  'window:close': 1,
  'app:quit': 1,
} satisfies Record<CallName, 1>

const pushes = {
  'gateway:changed': 1,
  'settings:changed': 1,
  'providers:changed': 1,
  'keys:changed': 1,
  'models:changed': 1,
  'metrics:changed': 1,
  'log:appended': 1,
  'try:chunk': 1,
  'window:navigate': 1,
  'window:close-asked': 1,
  'window:tray-hint': 1,
} satisfies Record<AnyPushName, 1>

export const CALL_NAMES = Object.keys(calls) as CallName[]
export const PUSH_NAMES = Object.keys(pushes) as AnyPushName[]
