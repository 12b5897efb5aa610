import type { HubName, Hubs } from '#contract/kernel/hubs.ts'
import { LINK_RATES } from '#contract/kernel/hub-limits.ts'
import type { AgentFrame, RatePoint } from '#contract/kernel/protocol.ts'
import type { LinksWatch } from '#contract/network/tunnels.ts'
import { trunkId } from '#domain/network/members/links.ts'
import { type Rates, toRate } from './traffic/traffic-rates.ts'

/* Throughput of links for the hubs of networks that watch them; nothing of it is stored. */

type CountersFrame = Pick<Extract<AgentFrame, { t: 'counters' }>, 'at' | 'trunks'>

interface LinkWatchesDeps {
  readonly hub: () => HubName
  readonly hubs: Pick<Hubs, 'network'>
  readonly routerName: () => string | undefined
  readonly waitUntil: (work: Promise<unknown>) => void
}

/** Frames that a device sends in the same pace may come a little early. */
const DUE_MS = LINK_RATES.everyMs - 500

interface Watch extends LinksWatch {
  readonly until: number
  sentAt: number
}

export class LinkWatches {
  private readonly watches = new Map<HubName, Watch>()
  private last: CountersFrame | null = null
  private readonly deps: LinkWatchesDeps

  constructor(deps: LinkWatchesDeps) {
    this.deps = deps
  }

  /** Replaces the earlier watch of that network's hub. */
  watch(request: LinksWatch, now: number): void {
    const sentAt = this.watches.get(request.networkHub)?.sentAt ?? 0
    this.watches.set(request.networkHub, { ...request, until: now + request.leaseMs, sentAt })
  }

  isWatched(now: number): boolean {
    return this.open(now).length > 0
  }

  wantsTrunks(now: number): boolean {
    return this.open(now).some(({ trunk }) => trunk)
  }

  /** Sends the rates of a frame to each network's hub that watches, at most one in a while. */
  counted(frame: CountersFrame, ofLinks: Rates, now: number): void {
    const before = this.last
    this.last = frame
    const routerName = this.deps.routerName()
    if (routerName === undefined) return
    for (const watch of this.open(now)) {
      if (now - watch.sentAt < DUE_MS) continue
      const trunk = watch.trunk ? trunkRate(before, frame, watch.number, now) : null
      const rates = {
        ...Object.fromEntries(watch.ids.flatMap((id) => (ofLinks[id] ? [[id, ofLinks[id]] as const] : []))),
        ...(trunk && { [trunkId(routerName)]: trunk }),
      }
      if (Object.keys(rates).length === 0) continue
      watch.sentAt = now
      const sent = this.deps.hubs.network(watch.networkHub).linkRates({ routerHub: this.deps.hub(), routerName, rates })
      this.deps.waitUntil(sent.catch(() => {})) // the next frame has newer ones
    }
  }

  private open(now: number): readonly Watch[] {
    const watches = [...this.watches.values()]
    for (const { networkHub, until } of watches) if (until <= now) this.watches.delete(networkHub)
    return watches.filter(({ until }) => until > now)
  }
}

/** Rate of a trunk as its points see it: what the server's interface sends is down. Null across a restart. */
function trunkRate(before: CountersFrame | null, frame: CountersFrame, number: string, now: number): RatePoint | null {
  const [old, fresh] = [before?.trunks?.[number], frame.trunks?.[number]]
  const lengthMs = frame.at - (before?.at ?? frame.at)
  if (!old || !fresh || lengthMs <= 0 || fresh.since_s < old.since_s) return null
  const [rx, tx] = [fresh.tx - old.tx, fresh.rx - old.rx]
  return rx < 0 || tx < 0 ? null : toRate({ rx, tx }, lengthMs, now)
}
