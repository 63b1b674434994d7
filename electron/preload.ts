// Runs sandboxed in the window before the page does.
import { contextBridge, ipcRenderer } from 'electron'
import { createPreloadApi } from './preload-api'

contextBridge.exposeInMainWorld('breakwater', createPreloadApi(ipcRenderer))
