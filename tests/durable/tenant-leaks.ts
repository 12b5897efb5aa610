import { inArray } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { TRAFFIC_RANGES } from '#contract/kernel/hub-limits.ts'
import { routerStates } from '#db/schema/routers.ts'
import { db } from '#tests/support/test-worker.ts'
import { type TestAccount, type TestRouter, accountStub, networkStub, routerStub } from './support.ts'

/** An account from its creation to its deletion; all names in its rows and frames carry its mark. */
export interface Tenant extends TestAccount {
  readonly mark: string
  /** Unread messages; no two tenants have the same number. */
  readonly unread: number
}

/** A network with a centre and a point, as rows of one tenant. */
export interface Owned {
  readonly tenant: Tenant
  readonly network: { readonly id: number; readonly number: string; readonly hub: HubName }
  readonly members: readonly [center: TestRouter, point: TestRouter]
  readonly createdAt: number
}

export interface History {
  readonly tenants: readonly Tenant[]
  /** Every network that there was; the owner of a hub is that of the last one that names it. */
  readonly networks: readonly Owned[]
  readonly current: Owned | null
}

const NO_MEMBERS = { online: 0, reconnecting: 0, flapping: 0, unreadable: 0, offline: 0, never: 0, disabled: 0 }

/** Answers of all hubs that ever existed to their owner that name another tenant. */
export async function findLeaks(history: History): Promise<string[]> {
  const byHub = new Map(history.networks.map((owned) => [owned.network.hub, owned]))
  const leaks: string[] = []
  for (const owned of byHub.values()) leaks.push(...(await findInNetwork(history, owned)))
  for (const tenant of history.tenants) leaks.push(...(await findInAccount(history, tenant)))
  return leaks
}

/** Marks and message counts of other tenants in what was read for this one. */
export function foreignText(tenants: readonly Tenant[], { mark, unread }: Tenant, read: unknown): string[] {
  const text = JSON.stringify(read)
  const counts = [...text.matchAll(/"unread":(\d+)/g)].map(([, count]) => Number(count))
  return [
    ...tenants.filter((other) => other.mark !== mark && text.includes(other.mark)).map(() => text),
    ...counts.filter((count) => count !== 0 && count !== unread).map((count) => `${count} unread`),
  ]
}

const namesOf = (networks: readonly Owned[]) => networks.flatMap(({ members }) => members.map(({ name }) => name))

async function findInNetwork(history: History, { tenant, network, members, createdAt }: Owned): Promise<string[]> {
  const stub = networkStub(network)
  const view = await stub.status(1)
  const links = await Promise.all(namesOf(history.networks).map((name) => stub.routerLinks(1, name)))
  const traffic = await Promise.all(members.map((router) => routerStub(router).traffic()))
  const series = await Promise.all(
    members.flatMap((router) => TRAFFIC_RANGES.map((range) => routerStub(router).trafficSeries(range))),
  )
  const isCurrent = history.current?.network.hub === network.hub
  const ids = isCurrent ? members.map(({ routerId }) => routerId) : []
  const states = await db.select().from(routerStates).where(inArray(routerStates.routerId, ids))
  const early = [...view.members, ...traffic].filter(({ presence }) => (presence.since ?? Infinity) < createdAt)
  return [
    ...foreignText(history.tenants, tenant, [view, links, traffic, series, states]),
    ...early.map((read) => `presence from before the row: ${JSON.stringify(read)}`),
  ]
}

async function findInAccount(history: History, tenant: Tenant): Promise<string[]> {
  const stub = accountStub(tenant)
  const own = history.networks.filter((owned) => owned.tenant === tenant)
  const foreign = history.networks.filter(({ network }) => !own.some((owned) => owned.network.hub === network.hub))
  const since = new Map(own.flatMap(({ members, createdAt }) => members.map(({ hub }) => [hub, createdAt] as const)))
  const current = history.current?.tenant === tenant ? [history.current.network.hub] : []
  const health = await stub.health({
    networks: current.map((hub) => ({ hub, revision: 1, members: NO_MEMBERS })),
    since: 0,
  })
  const hubsOf = (networks: readonly Owned[]) => networks.map(({ network }) => network.hub)
  const names = namesOf(history.networks)
  const [ownPaths, foreignPaths] = await Promise.all([
    stub.routerPaths(hubsOf(own), names),
    stub.routerPaths(hubsOf(foreign), names),
  ])
  const moves = await Promise.all(
    foreign.flatMap(({ members }) => members.map(({ hub }) => stub.routerTransitions(hub))),
  )
  const isForeign = (hub: HubName, at: number) => at < (since.get(hub) ?? Infinity)
  return [
    ...foreignText(history.tenants, tenant, [health, ownPaths]),
    ...health.transitions.filter(({ routerHub, at }) => isForeign(routerHub, at)).map((move) => JSON.stringify(move)),
    ...Object.keys(health.unsupported).filter((hub) => !since.has(hub)),
    ...Object.keys(foreignPaths),
    ...moves.flat().map((move) => JSON.stringify(move)),
  ]
}
