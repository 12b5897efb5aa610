import { LINK_RATES } from '#contract/kernel/hub-limits.ts'
import type { HubName, Hubs } from '#contract/kernel/hubs.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import type { LinkRatesReport } from '#contract/network/tunnels.ts'
import { trunkId, trunkOf } from '#domain/network/members/links.ts'
import type { HubProjection } from './projection.ts'

/* Throughput of the links that viewers look at: the hubs of the routers are asked while somebody does. */

interface LinkRatesDeps {
  readonly hub: () => HubName
  readonly hubs: Pick<Hubs, 'router'>
  readonly number: () => string | undefined
  readonly projection: () => HubProjection
  readonly waitUntil: (work: Promise<unknown>) => void
  readonly send: (rates: Record<string, RatePoint>) => void
}

interface Subscription {
  readonly ids: readonly string[]
  readonly until: number
}

/** Links and trunk of one router that are watched. */
interface Wanted {
  readonly routerHub: HubName
  readonly ids: string[]
  trunk: boolean
}

/** Renewals of a console may come a little early. */
const DUE_MS = LINK_RATES.renewMs - 1_000

export class LinkRates {
  /** By the socket of the viewer. After hibernation viewers subscribe again. */
  private readonly subscriptions = new Map<object, Subscription>()
  private askedAt = 0
  private readonly deps: LinkRatesDeps

  constructor(deps: LinkRatesDeps) {
    this.deps = deps
  }

  /** Replaces the earlier subscription of this viewer; without ids it ends. */
  subscribe(viewer: object, ids: readonly string[], now: number): void {
    const before = this.subscriptions.get(viewer)?.ids ?? []
    if (ids.length === 0) this.subscriptions.delete(viewer)
    else this.subscriptions.set(viewer, { ids, until: now + LINK_RATES.leaseMs })
    if (ids.some((id) => !before.includes(id))) this.ask(now)
    else this.askIfDue(now)
  }

  /** An acknowledgement of the viewer renews its subscription. */
  renew(viewer: object, now: number): void {
    const subscription = this.subscriptions.get(viewer)
    if (!subscription) return
    this.subscriptions.set(viewer, { ...subscription, until: now + LINK_RATES.leaseMs })
    this.askIfDue(now)
  }

  /** Rates that somebody looks at; others, and those of another router's links, are dropped. */
  received({ routerHub, routerName, rates }: LinkRatesReport, now: number): void {
    const wanted = this.wanted(now).get(routerName)
    if (wanted?.routerHub !== routerHub) return
    const trunk = trunkId(routerName)
    const shown = Object.entries(rates).filter(([id]) => wanted.ids.includes(id) || (wanted.trunk && id === trunk))
    if (shown.length > 0) this.deps.send(Object.fromEntries(shown))
  }

  /** Viewers bring the next request about: a timer would keep the hub awake, and billed, while somebody looks. */
  private askIfDue(now: number): void {
    if (Math.abs(now - this.askedAt) >= DUE_MS) this.ask(now)
  }

  private ask(now: number): void {
    this.askedAt = now
    const number = this.deps.number()
    const wanted = this.wanted(now)
    if (number === undefined || wanted.size === 0) return
    const { hubs, hub, waitUntil } = this.deps
    for (const { routerHub, ids, trunk } of wanted.values()) {
      const watch = { networkHub: hub(), number, ids, trunk, leaseMs: LINK_RATES.leaseMs }
      waitUntil(
        hubs
          .router(routerHub)
          .watchLinks(watch)
          .catch(() => {}),
      ) // asked again soon
    }
  }

  /** By the name of the router, as many as the limit says, those that were named first. */
  private wanted(now: number): ReadonlyMap<string, Wanted> {
    const { members, links } = this.deps.projection()
    for (const [viewer, { until }] of this.subscriptions) if (until <= now) this.subscriptions.delete(viewer)
    const ids = new Set([...this.subscriptions.values()].flatMap((one) => one.ids))
    const byRouter = new Map<string, Wanted>()
    for (const id of ids) {
      const trunk = trunkOf(id)
      const name = trunk ?? links.get(id)?.router_name
      const member = name === undefined ? undefined : members.get(name)
      if (name === undefined || !member) continue
      const known = byRouter.get(name) ?? { routerHub: member.router_hub, ids: [], trunk: false }
      if (byRouter.size >= LINK_RATES.routersMax && !byRouter.has(name)) continue
      byRouter.set(name, known)
      if (trunk === null) known.ids.push(id)
      else known.trunk = true
    }
    return byRouter
  }
}
