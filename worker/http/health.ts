import type { AccountHubRpc, HealthAnswer, HealthQuestion, HubName, StateMove } from '../contract/hubs.ts'
import type { Ctx } from './context.ts'
import { faultText, log } from './log.ts'

/** Health as the account's hub knows it, in one call; null where it does not answer: what the rows say is shown all the same. */
export const readHealth = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, question: HealthQuestion) =>
  askHub<HealthAnswer>(accountHub, () => ctx.hubs.account(accountHub).health(question))

/** Transitions of one member, newest first; null where the account's hub does not answer. */
export const readTransitions = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, routerHub: HubName) =>
  askHub<readonly StateMove[]>(accountHub, () => ctx.hubs.account(accountHub).routerTransitions(routerHub))

/** Paths of members by network; null where the account's hub does not answer. */
export const readPaths = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, networks: HubName[], names: readonly string[]) =>
  askHub<Paths>(accountHub, () => ctx.hubs.account(accountHub).routerPaths(networks, names))

/** Settings that devices do not carry; null where the account's hub does not answer. */
export const readMissingSettings = (ctx: Pick<Ctx, 'hubs'>, accountHub: HubName, routerHubs: readonly HubName[]) =>
  askHub<MissingSettings>(accountHub, () => ctx.hubs.account(accountHub).missingSettings(routerHubs))

type MissingSettings = Awaited<ReturnType<AccountHubRpc['missingSettings']>>
type Paths = Awaited<ReturnType<AccountHubRpc['routerPaths']>>

async function askHub<T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> {
  try {
    return (await ask()) ?? null
  } catch (error) {
    log('warn', 'account hub', { hub, error: faultText(error) })
    return null
  }
}
