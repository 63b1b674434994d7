// What went wrong at a proxy, in words for people: the proxy is named, and nobody else is blamed. Pure.

/** @param proxy `scheme://host:port`; @param code of a ProxyError */
export function proxyWords(proxy: string, code: string): string {
  return `the proxy ${proxy} ${whatItDid(code)}`
}

function whatItDid(code: string): string {
  const [, status] = /^PROXY_(\d+)$/.exec(code) ?? []
  if (status === '407') return 'does not accept the user name and password (407)'
  if (status?.startsWith('5')) return `could not reach the provider (${status})`
  if (status !== undefined) return `refused to open a connection to the provider (${status})`
  switch (code) {
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `does not answer (${code})`
    case 'ETIMEDOUT':
    case 'PROXY_TIMEOUT':
      return 'does not answer in time'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `has a host name that cannot be resolved (${code})`
    case 'ECONNRESET':
    case 'EPIPE':
      return `closed the connection (${code})`
    case 'PROXY_PROTOCOL':
      return 'does not answer as a proxy of this kind would; check its address'
    case 'PROXY_CERTIFICATE':
      return 'has a certificate for another name'
    case 'SOCKS_AUTH':
      return 'does not accept the user name and password'
    case 'SOCKS_2':
      return 'does not allow a connection to the provider'
    case 'SOCKS_3':
    case 'SOCKS_4':
    case 'SOCKS_5':
    case 'SOCKS_6':
      return `could not reach the provider (${code})`
    case 'SOCKS_NAME':
      return 'cannot be asked for so long a host name'
    default:
      return `failed (${code})`
  }
}
