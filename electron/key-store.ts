// The system's key store behind one small interface: Electron's newer asynchronous calls where there are any, the older
// ones elsewhere.
import type { SafeStorage } from 'electron'

export interface KeyStore {
  /** Whether what it seals is really protected; asking may make the system ask the person. */
  available(): Promise<boolean>
  /** Why not, in words for the person; empty while it is available. */
  reason(): string
  encrypt(plain: string): Promise<Uint8Array>
  /** @throws when it cannot be opened, for whatever reason */
  decrypt(data: Uint8Array): Promise<string>
}

/** What this file uses of Electron's safeStorage; the asynchronous part is missing in older versions. */
export type SafeStorageLike = Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'> &
  Partial<
    Pick<
      SafeStorage,
      'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
    >
  >

export function createKeyStore(storage: SafeStorageLike, platform: NodeJS.Platform): KeyStore {
  let reason = ''
  return {
    async available() {
      reason = platform === 'linux' ? linuxReason(storage) : ''
      if (reason !== '') return false
      const works = await isAvailable(storage)
      if (!works) reason = 'The system’s key store does not answer.'
      return works
    },
    reason: () => reason,
    encrypt: async (plain) =>
      storage.encryptStringAsync === undefined ? storage.encryptString(plain) : await storage.encryptStringAsync(plain),
    async decrypt(data) {
      const bytes = Buffer.from(data)
      if (storage.decryptStringAsync === undefined) return storage.decryptString(bytes)
      return (await storage.decryptStringAsync(bytes)).result
    },
  }
}

/** `basic_text` encrypts with a password that everyone knows: that is no protection. */
function linuxReason(storage: SafeStorageLike): string {
  const backend = storage.getSelectedStorageBackend?.()
  if (backend === 'basic_text' || backend === 'unknown')
    return 'This desktop has no key store (such as GNOME Keyring or KWallet).'
  return ''
}

async function isAvailable(storage: SafeStorageLike): Promise<boolean> {
  try {
    if (storage.isAsyncEncryptionAvailable !== undefined) return await storage.isAsyncEncryptionAvailable()
    return storage.isEncryptionAvailable()
  } catch {
    return false
  }
}
