import { z } from 'zod'
import { ENTRIES } from '#contract/device/limits.ts'
import { AGENT } from '#contract/kernel/hub-limits.ts'
import { isEntry } from '#domain/router/entries.ts'
import type { Store } from '../store.ts'

/* Addresses of the service: those of `--server`, then the entries that a welcome has named. They are tried in turn. */

const RECORD = 'entries'
const entries = z.array(z.string().refine(isEntry)).max(ENTRIES.max)
const stored = z.object({ worked: z.string().nullable(), kept: entries, offered: entries })

/** Memory of the addresses, on the disk. */
interface Remembered {
  /** Address of the last welcome. */
  readonly worked: string | null
  /** The list of which an entry has brought a welcome; it gives way to another such list alone. */
  readonly kept: readonly string[]
  /** The list of the newest welcome while none of its entries has brought one. It comes last. */
  readonly offered: readonly string[]
}

const NOTHING: Remembered = { worked: null, kept: [], offered: [] }

export class ServerAddresses {
  private readonly store: Store
  private readonly servers: readonly string[]
  private remembered: Remembered
  private order: readonly string[]
  private index = 0
  /** Number of rounds since the last welcome in which no address was reached. */
  private rounds = 0
  /** Address of this try, and then of the connection: enrolment, questions and tunnels use it as well. */
  current: string

  private constructor(store: Store, servers: readonly string[], remembered: Remembered) {
    this.store = store
    this.servers = servers.map((server) => new URL(server).origin)
    this.remembered = remembered
    this.order = toOrder(this.servers, remembered)
    this.current = this.order[0] ?? ''
  }

  /** A memory that cannot be read is none: the addresses of `--server` are left. */
  static async load(store: Store, servers: readonly string[]): Promise<ServerAddresses> {
    const kept = stored.safeParse(await store.load(RECORD).catch(() => null))
    return new ServerAddresses(store, servers, kept.success ? kept.data : NOTHING)
  }

  get areSeveral(): boolean {
    return this.order.length > 1
  }

  /** Time for an answer of the current address. It doubles with each round, for a service that is slow at each of them. */
  get patienceMs(): number {
    if (!this.areSeveral) return AGENT.connectMs
    const { worked } = this.remembered
    const isBeforeEntry = worked !== null && this.order.includes(worked) && !this.servers.includes(worked)
    const isFirst = isBeforeEntry && this.servers.includes(this.current)
    const ms = isFirst ? AGENT.firstEntriesMs / this.servers.length : AGENT.entryMs
    return Math.min(ms * 2 ** this.rounds, AGENT.connectMs)
  }

  /** Leaves an address that does not reach the service; false if it was the last of its round. */
  next(): boolean {
    this.index += 1
    const isLeft = this.index < this.order.length
    if (!isLeft) this.rounds += 1
    this.goTo(isLeft ? this.index : 0)
    return isLeft
  }

  /** A connection was lost: begins with the first address. */
  startOver(): void {
    this.goTo(0)
  }

  /** A welcome over the current address. The entries that it names count only from a socket whose certificate was checked. */
  async welcomed(named: readonly string[] | undefined): Promise<void> {
    const { kept, offered } = this.remembered
    const isNamed = named !== undefined && isTlsChecked(this.current)
    const newest = isNamed ? [...new Set(named.filter(isEntry))] : offered
    const isProved = newest.includes(this.current)
    const remembered = {
      worked: this.current,
      kept: isProved ? newest : kept,
      offered: isProved || isSame(newest, kept) ? [] : newest,
    }
    this.rounds = 0
    if (isSame([remembered], [this.remembered])) return
    this.remembered = remembered
    this.order = toOrder(this.servers, remembered)
    await this.store.save(RECORD, remembered)
  }

  private goTo(index: number): void {
    this.index = index
    this.current = this.order[index] ?? ''
  }
}

/** Entries never come before `--server`. Of either the one that worked last is the first. */
function toOrder(servers: readonly string[], { worked, kept, offered }: Remembered): readonly string[] {
  const workedFirst = (addresses: readonly string[]) => addresses.toSorted((a, b) => rank(a) - rank(b))
  const rank = (address: string) => (address === worked ? 0 : 1)
  return [...new Set([...workedFirst(servers), ...workedFirst([...kept, ...offered])])]
}

/** False where somebody on the path could have written the welcome. */
const isTlsChecked = (address: string): boolean =>
  address.startsWith('https:') && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0'

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean => JSON.stringify(a) === JSON.stringify(b)
