import type { z } from 'zod'
import config from '../../infra/hosts.json' with { type: 'json' }
import type { brand } from '../contract/site.ts'

export type Brand = z.infer<typeof brand>

const HOSTS = new Map<string, Brand>(Object.entries(config.hosts))
const ALIASES = new Map<string, string>(Object.entries(config.aliases))

const known = (hostname: string): Brand | undefined => HOSTS.get(ALIASES.get(hostname) ?? hostname)

/** Brand of a hostname; an unknown one gets the main host's brand without company details (account 1). */
export function toBrand(hostname: string): Brand {
  const own = known(hostname)
  if (own) return own
  const main = known(config.main)
  if (!main) throw new Error('infra/hosts.json: the main host is not in hosts')
  return { ...main, handbook: false, copyright: null, filing_number: null, terms: false }
}

/** Where links point to: the main host, or the given one if it is ours; null if it is not. Plain http only on this machine. */
export function consoleOrigin(wanted?: string): string | null {
  if (wanted === undefined) return `https://${config.main}`
  const { protocol, hostname, origin } = new URL(wanted)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isSafe && known(hostname) ? origin : null
}
