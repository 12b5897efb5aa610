import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { HUB_TRANSFER } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { StoragePage } from '#contract/router/transfer.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardRouterHub } from '#features/router/sql/manage.ts'
import { selectHubsOfRouter, updateHub } from '#features/router/sql/rehome.ts'
import type { Ctx } from '#http/context.ts'
import { HubAway } from '#http/hub-answers.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { operatorAudit } from './audit.ts'

/* Operator's move of a router's hub to another place. */

type Call = (typeof opsApi)['rehome']
type LoadedHubs = Awaited<ReturnType<typeof readHubs>>

/**
 * Copies what the hub holds into a new one while the device is away for some seconds, then writes the new name. The old hub
 * learns from the outbox that it has to forget. What a crash leaves before the write ends by itself, after it the outbox goes on.
 */
export async function rehome(ctx: Ctx, { router: name, place, confirm }: Parsed<Call>): Promise<Output<Call>> {
  const found = await readHubs(ctx, name)
  if (isSamePlace(ctx, placeOf(found.router.hub), place)) refuse('REHOME_SAME_PLACE', { place })
  const { hub, copied } = await copyHub(ctx, found.router.hub, place)
  if (copied === null && confirm !== 1) refuse('REHOME_LOSES')
  try {
    await writeHub(ctx, found, hub, copied)
  } catch (error) {
    await thaw(ctx, found.router.hub)
    throw error
  }
  return { copied }
}

async function readHubs({ db }: Ctx, name: string) {
  const { routers, networks } = await batch(db, selectHubsOfRouter(db, name))
  const router = routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY') // software members have no hub
  return { router, networks }
}

const isSamePlace = ({ env }: Ctx, ...places: readonly string[]): boolean => {
  const actual = places.map((place) => (place === 'default' ? (env.HUB_PLACE ?? '') : place))
  return actual[0] === actual[1]
}

/** A new hub with a copy of the old one; `copied` is null for a blank one, because the old one does not answer. */
async function copyHub(ctx: Ctx, from: HubName, place: string) {
  const hub = newHubName(place)
  const [source, target] = [ctx.hubs.router(from), ctx.hubs.router(hub)]
  const until = Date.now() + HUB_TRANSFER.copyMs
  let copied = 0
  let cursor: string | null = null
  do {
    const page: StoragePage | null = await source.exportStorage(cursor).catch(toNoAnswer)
    if (page === null) return { hub: newHubName(place), copied: null }
    try {
      await target.importStorage(page)
      if (Date.now() > until) throw new HubAway('router', new Error('the copy took too long'))
    } catch (error) {
      await thaw(ctx, from)
      throw error
    }
    copied += page.values.length + page.rows.length
    cursor = page.next
  } while (cursor !== null)
  return { hub, copied }
}

function toNoAnswer(error: unknown): null {
  if (error instanceof HubAway) return null
  throw error
}

/** A hub that is not called thaws by itself. */
const thaw = ({ hubs }: Ctx, hub: HubName): Promise<void> =>
  hubs
    .router(hub)
    .endTransfer()
    .catch(() => {})

function writeHub(ctx: Ctx, { router, networks }: LoadedHubs, hub: HubName, copied: number | null) {
  const { db } = ctx
  return batch(db, {
    still: guardRouterHub(db, router),
    router: updateHub(db, router, hub),
    audit: operatorAudit(ctx, router.accountId, {
      action: 'router/rehome',
      target: router.name,
      message: copied === null ? '运营迁移设备的实时服务，历史流量未保留' : '运营迁移设备的实时服务',
      before: { place: placeOf(router.hub) },
      after: { place: placeOf(hub), copied },
    }),
    hubs: notifyHubs(ctx, [
      ...refreshTasks('router', [hub, router.hub]),
      ...refreshTasks('network', networks),
      ...refreshTasks('account', [router.accountHub]),
    ]),
  })
}
