import type { z } from 'zod'
import config from '../../infra/hosts.json' with { type: 'json' }
import type { brand } from '../contract/site.ts'

export type Brand = z.infer<typeof brand>

const HOSTS = new Map<string, Brand>(Object.entries(config.hosts))
const ALIASES = new Map<string, string>(Object.entries(config.aliases))

/** Name of a host in infra/hosts.json, also by an alias and with the dot of the DNS root; undefined where it is not listed. */
export function knownHost(hostname: string): string | undefined {
  const name = hostname.replace(/\.$/, '')
  const host = ALIASES.get(name) ?? name
  return HOSTS.has(host) ? host : undefined
}

const known = (hostname: string): Brand | undefined => HOSTS.get(knownHost(hostname) ?? '')

/** Brand of a hostname; one that is not listed shows none (account 1). */
export const toBrand = (hostname: string): Brand => known(hostname) ?? config.unlisted

/** Where links point to: the main host, or the given one if it is ours; null if it is not. Plain http only on this machine. */
export function consoleOrigin(wanted?: string): string | null {
  if (wanted === undefined) return `https://${config.main}`
  const { protocol, hostname, origin } = new URL(wanted)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isSafe && known(hostname) ? origin : null
}
