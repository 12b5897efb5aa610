import type { AccountHubRpc, HealthAnswer, HealthQuestion, HubName, StateMove } from '#contract/kernel/hubs.ts'
import { askAccountHub } from './ask-hub.ts'
import type { Ctx } from './context.ts'

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
