import { MAIN_HOST, listedHost } from '../domain/site/brand.ts'

/** Where links point to: the main host, or the given one if it is ours; null if it is not. Plain http only on this machine. */
export function consoleOrigin(wanted?: string): string | null {
  if (wanted === undefined) return `https://${MAIN_HOST}`
  const { protocol, hostname, origin } = new URL(wanted)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isSafe && listedHost(hostname) !== null ? origin : null
}
