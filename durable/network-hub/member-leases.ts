import type { HubName, Hubs } from '#contract/kernel/hubs.ts'
import { isPresent } from '#domain/health/member.ts'
import type { HubMember } from './projection.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { mapLimit } from '#db/concurrency.ts'

const SUSPECT_GAP_MS = 10_000
/** Router hubs asked for their lease at the same time. */
const CONCURRENCY = 20

/** Asks the hubs of members whether their devices still hold their lease. */
export class MemberLeases {
  private readonly hubs: Hubs
  private readonly suspectedAt = new Map<HubName, number>()

  constructor(hubs: Hubs) {
    this.hubs = hubs
  }

  /** Periodic, while there are viewers: finds a device that disconnected without a close. */
  async checkPresent(members: Iterable<HubMember>): Promise<void> {
    const present = [...members].filter(
      ({ router_type, presence }) => router_type === ROUTER_TYPE.hardware && isPresent(presence.state),
    )
    await this.check(present, false)
  }

  /** Throttle per member: all points of a centre report it silent within seconds, but its lease is checked once. */
  async checkSilent(members: readonly HubMember[]): Promise<void> {
    const now = Date.now()
    const fresh = members.filter((member) => now - (this.suspectedAt.get(member.router_hub) ?? 0) >= SUSPECT_GAP_MS)
    for (const member of fresh) this.suspectedAt.set(member.router_hub, now)
    await this.check(fresh, true)
  }

  private async check(members: readonly HubMember[], isSuspect: boolean): Promise<void> {
    await mapLimit(members, CONCURRENCY, (member) => this.hubs.router(member.router_hub).checkLease(isSuspect))
  }
}
