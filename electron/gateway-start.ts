// Starts the gateway for the app. Trouble is for the window to show, never a reason not to open it.
import { dialog } from 'electron'
import type { Gateway } from '../core/gateway'
import type { Logger } from '../core/host'
import { prepareData } from './first-run'

/** The window waits so long for a quick start, and then shows a slow one happening. */
const PATIENCE_MS = 1_500

export async function startGateway(gateway: Gateway, importFile: string | null, log: Logger): Promise<void> {
  let prepared = false
  const prepare = async (): Promise<void> => {
    if (prepared || gateway.parts() === null) return
    prepared = true
    const trouble = await prepareData(gateway, importFile, log)
    if (trouble !== null) void dialog.showMessageBox({ type: 'warning', title: 'Breakwater', message: trouble })
  }
  const started = (async () => {
    await gateway.open()
    await prepare()
    await gateway.start()
    // Data that was refused at first is opened by a person's retry.
    gateway.pushes.on('gateway:changed', () => void prepare())
  })()
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    started,
    new Promise((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS)
    }),
  ])
  clearTimeout(timer)
}
