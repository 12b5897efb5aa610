import type { HealthAnswer, HealthQuestion, HubName } from '../contract/hubs.ts'
import type { Ctx } from './context.ts'
import { faultText, log } from './log.ts'

/** Health as the account's hub knows it, in one call; null where it does not answer: what the rows say is shown all the same. */
export async function readHealth(
  ctx: Pick<Ctx, 'hubs'>,
  accountHub: HubName,
  question: HealthQuestion,
): Promise<HealthAnswer | null> {
  try {
    return (await ctx.hubs.account(accountHub).health(question)) ?? null
  } catch (error) {
    log('warn', 'account hub', { hub: accountHub, error: faultText(error) })
    return null
  }
}
