import type { AccountHubRpc, HealthAnswer, HealthQuestion, HubName, StateMove } from '#contract/kernel/hubs.ts'
import type { Ctx } from '#http/context.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { within } from '#db/concurrency.ts'
import { faultText, log } from '#http/log.ts'

/** Answer of an account's hub that a page can do without; null, and a line in the log, where it does not answer. */
const askAccountHub = <T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> => answer('account', hub, ask)

/** Answer of a network's hub within `HEALTH.answerMs`; null, and a line in the log, where it does not answer. */
export const askNetworkHub = <T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> =>
  answer('network', hub, () => within(HEALTH.answerMs, ask()))

async function answer<T>(kind: 'account' | 'network', hub: HubName, ask: () => Promise<T>): Promise<T | null> {
  try {
    return (await ask()) ?? null
  } catch (error) {
    log('warn', `${kind} hub`, { hub, error: faultText(error) })
    return null
  }
}

/** Health as the account's hub knows it, in one call; null where it does not answer: what the rows say is shown all the same. */
export const readHealth = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, question: HealthQuestion) =>
  askAccountHub<HealthAnswer>(accountHub, () => ctx.hubs.account(accountHub).health(question))

/** Transitions of one member, newest first; null where the account's hub does not answer. */
export const readTransitions = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, routerHub: HubName) =>
  askAccountHub<readonly StateMove[]>(accountHub, () => ctx.hubs.account(accountHub).routerTransitions(routerHub))

/** Paths of members by network; null where the account's hub does not answer. */
export const readPaths = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, networks: HubName[], names: readonly string[]) =>
  askAccountHub<Paths>(accountHub, () => ctx.hubs.account(accountHub).routerPaths(networks, names))

/** Settings that devices do not carry; null where the account's hub does not answer. */
export const readMissingSettings = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, routerHubs: readonly HubName[]) =>
  askAccountHub<MissingSettings>(accountHub, () => ctx.hubs.account(accountHub).missingSettings(routerHubs))

type MissingSettings = Awaited<ReturnType<AccountHubRpc['missingSettings']>>
type Paths = Awaited<ReturnType<AccountHubRpc['routerPaths']>>
