import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { within } from '#db/timeout.ts'
import { faultText, log } from './log.ts'

/** Answer of an account's hub that a page can do without; null, and a line in the log, where it does not answer. */
export const askAccountHub = <T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> => answer('account', hub, ask)

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
