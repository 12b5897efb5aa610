import { logFault } from '../fault-log.ts'
import { createHubs } from '../hubs.ts'
import { inGroups } from '../in-groups.ts'
import { isLinkOf } from '../../worker/domain/network/links.ts'
import type { Hubs } from '../../worker/contract/hubs.ts'
import type { LinkReport } from '../../worker/contract/protocol.ts'
import { configView } from './config-push.ts'
import type { RouterFacts, RouterState } from './machine.ts'
import { type Outbox, failed, isOwing, stored, told } from './outbox.ts'
import { presenceView } from './presence.ts'
import { saveRouter } from './store.ts'

/** Pays what the outbox owes: the database first, so that a hub that reads it on being told finds the same. */
export async function payDebts(
  env: Env,
  state: RouterState,
  settle: (change: (outbox: Outbox) => Outbox) => void,
): Promise<void> {
  const sent = state.outbox
  if (!state.router || !isOwing(sent)) return // without its rows it is not known whose state this is
  const hubs = createHubs(env)
  const [save] = await Promise.allSettled([sent.stored < sent.change ? saveRouter(env, state) : []])
  if (save.status === 'fulfilled') settle((outbox) => stored(outbox, sent))
  const points = save.status === 'fulfilled' ? save.value : []
  const [tell] = await Promise.allSettled([sent.told < sent.change ? tellHubs(hubs, state) : undefined])
  if (tell.status === 'fulfilled') settle((outbox) => told(outbox, sent))
  const faults = [save, tell].filter((result) => result.status === 'rejected')
  for (const { reason } of faults) logFault(state.router.routerName, 'debt', reason)
  if (faults.length > 0) settle((outbox) => failed(outbox, Date.now(), Math.random()))
  await refreshRouters(hubs, points)
}

/** Tells the hubs of the account and of every network of this router how it stands. */
async function tellHubs(hubs: Hubs, { router, presence, config, links }: RouterState): Promise<void> {
  if (!router) return
  const { routerName, networks } = router
  const change = { routerName, presence: presenceView(presence), config: configView(config) }
  await Promise.all([
    hubs.account(router.accountId).routerChanged({ ...change, networkNumbers: networks.map(({ number }) => number) }),
    ...networks.map(({ id }) => hubs.network(id).memberChanged(change)),
  ])
  await tellLinks(
    hubs,
    router,
    Object.entries(links).map(([id, link]) => ({ id, ...link })),
  )
}

/** To each network what concerns its own links. */
export async function tellLinks(
  hubs: Hubs,
  { routerName, networks }: RouterFacts,
  links: readonly LinkReport[],
): Promise<void> {
  await Promise.all(
    networks.map(async ({ id, number }) => {
      const own = links.filter((link) => isLinkOf(number, link.id)).map(reportOf)
      if (own.length > 0) await hubs.network(id).linksReported({ routerName, links: own })
    }),
  )
}

const reportOf = ({ id, up, rtt_ms }: LinkReport) => ({ id, up, rttMs: rtt_ms })

/** Compiles the documents of these routers anew. One that fails keeps its mark in the database and is swept later. */
const refreshRouters = (hubs: Hubs, routerIds: readonly number[]): Promise<void> =>
  inGroups(routerIds, (id) => hubs.router(id).refresh())
