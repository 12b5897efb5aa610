import { listedHost } from '#domain/site/brand.ts'

/** The origin of a console's address; null if it is none of ours. Plain http only on this machine. */
export function consoleOrigin(wanted: string): string | null {
  const { protocol, hostname, origin } = new URL(wanted)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isSafe && listedHost(hostname) !== null ? origin : null
}
