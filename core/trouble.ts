// Why the gateway cannot run, as the state that window, tray and exit code are made of.
import type { ListenerState } from './contract/views'
import type { Logger } from './host'
import { isBreakwater, nextFreePort } from './http/probe-port'
import { DataFolderInUseError } from './store/folder-lock'
import { DatabaseRefusedError } from './store/open-databases'

/** The data could not be opened. */
export function dataTrouble(error: unknown, dataDir: string, log: Logger): ListenerState {
  if (error instanceof DatabaseRefusedError) {
    const { file, message, wayOut } = error
    log.error({ file }, message)
    return { kind: 'database-refused', file, message, wayOut }
  }
  if (error instanceof DataFolderInUseError) {
    log.error({ folder: error.folder }, error.message)
    return { kind: 'data-folder-in-use', folder: error.folder, pid: error.pid }
  }
  const message = error instanceof Error ? error.message : String(error)
  log.error({ error: error instanceof Error ? error.stack : message }, 'the data could not be opened')
  return {
    kind: 'database-refused',
    file: dataDir,
    message: `The data could not be opened: ${message}`,
    wayOut: 'The log file says more. Nothing was changed.',
  }
}

/** The port could not be had: by whom it is held, and which one is free. */
export async function portTrouble(error: NodeJS.ErrnoException, port: number, log: Logger): Promise<ListenerState> {
  log.error({ port, code: error.code }, 'the port cannot be had')
  switch (error.code) {
    case 'EADDRINUSE': {
      const [ours, freePort] = await Promise.all([isBreakwater(port), nextFreePort(port)])
      return { kind: 'port-in-use', port, holder: ours ? 'breakwater' : 'other', freePort }
    }
    case 'EACCES':
      return { kind: 'port-forbidden', port, freePort: await nextFreePort(Math.max(port, 1024)) }
    default: {
      const message = `The gateway cannot listen on port ${port} (${error.code ?? error.message}).`
      return { kind: 'listen-failed', port, message }
    }
  }
}
