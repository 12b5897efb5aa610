import type { AccountHubRpc, HealthAnswer, HealthQuestion, HubKind, HubName, StateMove } from '#contract/kernel/hubs.ts'
import type { Ctx } from '#http/context.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { TUNNEL_LIST } from '#contract/network/limits.ts'
import { within } from '#db/concurrency.ts'
import { faultText, log } from '#http/log.ts'

/* Questions to hubs of accounts, networks and routers. Without an answer, null and a line in the log. */

/** Asks an account's hub for data that a page can do without. */
const askAccountHub = <T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> => answer('account', hub, ask)

/** Asks a network's hub, for at most `HEALTH.answerMs`. */
export const askNetworkHub = <T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> =>
  answer('network', hub, () => within(HEALTH.answerMs, ask()))

/** Asks a router's hub for bytes that a table can do without. */
export const askRouterHub = <T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> =>
  answer('router', hub, () => within(TUNNEL_LIST.answerMs, ask()))

async function answer<T>(kind: HubKind, hub: HubName, ask: () => Promise<T>): Promise<T | null> {
  try {
    return (await ask()) ?? null
  } catch (error) {
    log('warn', `${kind} hub`, { hub, error: faultText(error) })
    return null
  }
}

/** Health from the account's hub, in one call. Without an answer, pages still show stored data. */
export const readHealth = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, question: HealthQuestion) =>
  askAccountHub<HealthAnswer>(accountHub, () => ctx.hubs.account(accountHub).health(question))

/** Transitions of one member, newest first. */
export const readTransitions = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, routerHub: HubName) =>
  askAccountHub<readonly StateMove[]>(accountHub, () => ctx.hubs.account(accountHub).routerTransitions(routerHub))

/** Paths of members by network. */
export const readPaths = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, networks: HubName[], names: readonly string[]) =>
  askAccountHub<Paths>(accountHub, () => ctx.hubs.account(accountHub).routerPaths(networks, names))

/** Settings that devices do not support. */
export const readMissingSettings = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, routerHubs: readonly HubName[]) =>
  askAccountHub<MissingSettings>(accountHub, () => ctx.hubs.account(accountHub).missingSettings(routerHubs))

/** Devices that are known to lack at least one of these settings. Without an answer of the hub, nothing is known. */
export async function filterLacking<D extends { readonly hub: HubName }>(
  ctx: Pick<Ctx, 'hubs'>,
  accountHub: HubName,
  devices: readonly D[],
  needs: readonly string[],
): Promise<readonly D[]> {
  const hubs = devices.map(({ hub }) => hub)
  const missing = (await readMissingSettings(ctx, accountHub, hubs)) ?? {}
  return devices.filter(({ hub }) => needs.some((key) => missing[hub]?.includes(key)))
}

type MissingSettings = Awaited<ReturnType<AccountHubRpc['missingSettings']>>
type Paths = Awaited<ReturnType<AccountHubRpc['routerPaths']>>
