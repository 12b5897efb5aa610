import { lookup } from 'node:dns/promises'
import { isName } from '#domain/router/endpoints.ts'
import type { Clock } from '../clock.ts'

/* Targets of the probes of one link: addresses and names in their order, of which the one that answers is kept. */

export interface Target {
  readonly host: string
  readonly port: number
}

/** Finds the addresses of a name. */
export type Lookup = (name: string) => Promise<readonly string[]>

export const lookupAll: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** An IPv4 address without the prefix that a dual socket writes before it. */
export const unmapped = (host: string): string => host.replace(/^::ffff:(?=[\d.]+$)/, '')

const NAME_MS = 60_000

/** Addresses of names, looked up anew each minute while they are asked for. */
export class Names {
  private readonly clock: Clock
  private readonly lookup: Lookup
  private readonly known = new Map<string, { readonly at: number; readonly addresses: readonly string[] }>()

  constructor(clock: Clock, find: Lookup) {
    this.clock = clock
    this.lookup = find
  }

  /** Addresses that are known now; a failed lookup keeps those of before. */
  addressesOf(name: string): readonly string[] {
    const now = this.clock.monotonic()
    const { at = -Infinity, addresses = [] } = this.known.get(name) ?? {}
    if (now - at < NAME_MS) return addresses
    this.known.set(name, { at: now, addresses })
    this.lookup(name).then(
      (found) => this.known.set(name, { at: now, addresses: found }),
      () => {},
    )
    return addresses
  }
}

export class ProbeTargets {
  readonly listed: readonly Target[]
  private readonly names: Names
  /** Target that has answered last; null before. */
  private best: Target | null = null
  /** Target of the last request, among all addresses. */
  private index = 0
  /** Times of the pending request, by address. */
  private readonly asked = new Map<string, number>()
  private sentAt = -Infinity

  constructor(listed: readonly Target[], names: Names) {
    this.listed = listed
    this.names = names
  }

  /** Address and port that answers, of several; null for a single target. */
  get remote(): string | null {
    if (this.best === null || this.listed.length < 2) return null
    const { host, port } = this.best
    return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  }

  /** Target of a new request: the one that has answered last, else the first. Null while none is known. */
  first(): Target | null {
    const all = this.addresses()
    this.index = Math.max(
      0,
      all.findIndex(({ host }) => host === this.best?.host),
    )
    this.asked.clear()
    return all[this.index] ?? null
  }

  /** Target to which the pending request goes next; null before `everyMs` are over, or without another one. */
  next(now: number, everyMs: number): Target | null {
    const all = this.addresses()
    if (now - this.sentAt < everyMs || (all.length < 2 && this.asked.size > 0)) return null
    this.index = (this.index + 1) % Math.max(all.length, 1)
    return all[this.index] ?? null
  }

  sent(host: string, now: number): void {
    this.sentAt = now
    this.asked.set(host, now)
  }

  /** Time at which the pending request went to this address. */
  askedAt(host: string): number | undefined {
    return this.asked.get(host)
  }

  /** True if one of several targets has answered, and it is another than before. */
  answered(from: Target): boolean {
    if (this.best?.host === from.host) return false
    this.best = from
    return this.remote !== null
  }

  private addresses(): readonly Target[] {
    return this.listed.flatMap(({ host, port }) =>
      isName(host) ? this.names.addressesOf(host).map((address) => ({ host: address, port })) : [{ host, port }],
    )
  }
}
