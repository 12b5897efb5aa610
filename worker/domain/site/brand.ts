import type { z } from 'zod'
import config from '#infra/hosts.json' with { type: 'json' }
import type { brand } from '#contract/site/index.ts'

/* Brands and trials by host (infra/hosts.json), the host of an account, and the console address for its links. */

export type Brand = z.infer<typeof brand>

const HOSTS = new Map<string, Brand>(Object.entries(config.hosts))
/** Names of the hosts in a local run: browsers resolve names below localhost to the machine itself. */
const LOCAL_NAMES = new Map([...HOSTS.keys()].map((host) => [`${host.split('.')[0]}.localhost`, host]))
const ALIASES = new Map<string, string>([...Object.entries(config.aliases), ...LOCAL_NAMES])

/** True for a name of a host in a local run. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAMES.has(hostname.toLowerCase())

/** Names and titles of all hosts in a local run. */
export const localSites = (): readonly { readonly hostname: string; readonly title: string }[] =>
  [...LOCAL_NAMES].map(([hostname, host]) => ({ hostname, title: toBrand(host).title }))

export interface Trial {
  readonly seats: number
  readonly days: number
}
const TRIALS = new Map<string, Trial>(Object.entries(config.trials))

/** Trial seats of accounts that register at this hostname (infra/hosts.json); null if the host grants none. */
export const trialAt = (hostname: string): Trial | null => TRIALS.get(hostname) ?? null

export const MAIN_HOST: string = config.main
/** Host of an account that registered on a host without a brand. It has no dot, so it is no hostname. */
export const UNLISTED_HOST = 'unlisted'

export const ACCOUNT_HOSTS: readonly string[] = [...HOSTS.keys(), UNLISTED_HOST]

/** The configured name of a hostname, by its aliases; null if it is not listed. A name may end with a dot. */
export function listedHost(hostname: string): string | null {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const host = ALIASES.get(name) ?? name
  return HOSTS.has(host) ? host : null
}

/** Brand of a hostname; one that is not listed shows none (account 1). */
export const toBrand = (hostname: string): Brand => HOSTS.get(listedHost(hostname) ?? '') ?? config.unlisted

/** The host that mails, SMS and links of an account use; the main one by default. */
export const hostOfAccount = (host: string): string => host || MAIN_HOST

/** Brand name of a host, or the title of its console if it has none; null for an unlisted host. */
export function displayName(host: string): string | null {
  const { name, title } = toBrand(host)
  return listedHost(host) === null ? null : (name ?? title)
}

/**
 * Origin of links in a host's mails. An unlisted host has no console of its own and uses the main one.
 * @param localOrigin of a local run: replaces the main host.
 */
export function toConsoleOrigin(host: string, localOrigin?: string): string {
  const listed = listedHost(host) ?? MAIN_HOST
  return listed === MAIN_HOST && localOrigin !== undefined ? localOrigin : `https://${listed}`
}
