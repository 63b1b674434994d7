// Integration tests run the built gateway: it is built anew here when its sources changed.
import { ensureBuilt } from '../../build/bundle.mjs'

export const setup = () => ensureBuilt(process.execPath, process.env, ['gateway'])
