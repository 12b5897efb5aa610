import { LEASE_ROUND, SILENT_HUB } from '#contract/kernel/hub-limits.ts'
import type { HubName, Hubs } from '#contract/kernel/hubs.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { mapLimit, pause, within } from '#db/concurrency.ts'
import { FAULTY_LINKS } from '#domain/health/link.ts'
import { isPresent } from '#domain/health/member.ts'
import { logFault } from '#durable/fault-log.ts'
import type { HubMember, HubProjection } from './projection.ts'
import { load, save } from './storage.ts'

/* Lease checks of a network's members: the hubs of routers are asked if their devices still hold their lease. */

const SUSPECT_GAP_MS = 10_000
const SECOND_MS = 1_000

interface LeaseRound {
  readonly members: readonly HubMember[]
  /** Name of the last member that was asked in its turn. */
  readonly last: string | undefined
}

/**
 * Members of the next round: first those on pages that are shown, then centres and ends of faulty links, then the others in
 * turn. Only present devices have a lease. Every member has its turn in `LEASE_ROUND.rounds`.
 */
export function nextRound(
  { members, links }: HubProjection,
  after: string | undefined,
  visible: readonly string[] = [],
): LeaseRound {
  const present = [...members.values()].filter(
    ({ router_type, presence }) => router_type === ROUTER_TYPE.hardware && isPresent(presence.state),
  )
  const faulty = [...links.values()].filter(({ state }) => FAULTY_LINKS.has(state))
  const suspects = new Set(faulty.flatMap((link) => [link.router_name, link.center_router_name]))
  const isUrgent = ({ member_type, router_name }: HubMember) => member_type !== 'point' || suspects.has(router_name)
  const shown = new Set(visible)
  const isShown = ({ router_name }: HubMember) => shown.has(router_name)
  const urgent = new Set(
    [...present.filter(isShown), ...present.filter((member) => !isShown(member) && isUrgent(member))].slice(
      0,
      LEASE_ROUND.urgent,
    ),
  )
  const others = present.filter((member) => !urgent.has(member))
  const size = Math.max(LEASE_ROUND.least, Math.ceil(others.length / LEASE_ROUND.rounds))
  const start = others.findIndex(({ router_name }) => router_name === after) + 1
  const inTurn = [...others.slice(start), ...others.slice(0, start)].slice(0, size)
  return { members: [...urgent, ...inTurn], last: inTurn.at(-1)?.router_name ?? after }
}

interface MemberLeasesDeps {
  readonly storage: Pick<DurableObjectStorage, 'kv'>
  readonly hubs: Hubs
  readonly accountHub: () => HubName | undefined
  readonly projection: () => HubProjection
}

export class MemberLeases {
  private readonly deps: MemberLeasesDeps
  private readonly suspectedAt = new Map<HubName, number>()
  private isInRound = false

  constructor(deps: MemberLeasesDeps) {
    this.deps = deps
  }

  /** Names of members on a page that is shown from now on; those of other viewers' pages stay behind them. */
  show(names: readonly string[]): void {
    const { storage } = this.deps
    const before = load(storage, 'visible') ?? []
    const visible = [...new Set([...names, ...before])].slice(0, LEASE_ROUND.visible)
    if (visible.join() !== before.join()) save(storage, { visible })
  }

  /** No page is shown any more. */
  showNone(): void {
    if (load(this.deps.storage, 'visible') !== undefined) save(this.deps.storage, { visible: [] })
  }

  /** Next round, `perSecond` members at a time: finds a device that disconnected without a close. One round at a time. */
  async checkNext(): Promise<void> {
    if (this.isInRound) return
    this.isInRound = true
    try {
      const { storage, projection } = this.deps
      const { members, last } = nextRound(projection(), load(storage, 'leaseAskedLast'), load(storage, 'visible'))
      if (last !== undefined) save(storage, { leaseAskedLast: last })
      const checks: Promise<void>[] = []
      for (let at = 0; at < members.length; at += LEASE_ROUND.perSecond) {
        if (at > 0) await pause(SECOND_MS)
        checks.push(this.check(members.slice(at, at + LEASE_ROUND.perSecond), false))
      }
      await Promise.all(checks)
    } finally {
      this.isInRound = false
    }
  }

  /** Throttle per member: all points of a centre report it silent within seconds, but its lease is checked once. */
  async checkSilent(members: readonly HubMember[]): Promise<void> {
    const now = Date.now()
    const fresh = members.filter((member) => now - (this.suspectedAt.get(member.router_hub) ?? 0) >= SUSPECT_GAP_MS)
    for (const member of fresh) this.suspectedAt.set(member.router_hub, now)
    await this.check(fresh, true)
  }

  private async check(members: readonly HubMember[], isSuspect: boolean): Promise<void> {
    const { hubs } = this.deps
    const results = await mapLimit(members, LEASE_ROUND.perSecond, (member) =>
      within(SILENT_HUB.answerMs, hubs.router(member.router_hub).checkLease(isSuspect)),
    )
    await this.reportSilent(members.filter((_, i) => results[i]?.status === 'rejected'))
  }

  /** The hub of the routers' account decides from when on they are unreadable, for all networks and lists alike. */
  private async reportSilent(members: readonly HubMember[]): Promise<void> {
    const { hubs, accountHub } = this.deps
    const byAccount = Map.groupBy(members, ({ account_hub }) => account_hub ?? accountHub())
    for (const [account, silent] of byAccount) {
      if (account === undefined) continue
      const report = hubs.account(account).hubsSilent(silent.map(({ router_hub }) => router_hub))
      await report.catch((error: unknown) => logFault(account, 'leases', error)) // the next check reports again
    }
  }
}
