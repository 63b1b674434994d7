// A call that failed at the proxy, before the provider could be asked for anything.

export class ProxyError extends Error {
  constructor(
    /** `scheme://host:port`, never a password. */
    readonly proxy: string,
    /**
     * The system's word, or one of ours: `PROXY_<status>`, `PROXY_PROTOCOL`, `PROXY_TIMEOUT`, `PROXY_CERTIFICATE`,
     * `SOCKS_AUTH`, `SOCKS_NAME`, `SOCKS_<reply>`.
     */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`the proxy ${proxy} failed (${code})`, options)
    this.name = 'ProxyError'
  }
}
