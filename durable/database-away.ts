import type { Hubs, HubName } from '#contract/kernel/hubs.ts'
import { isDatabaseAway } from '#db/driver.ts'

/* Retries of a hub while the database is away: its account's hub says when. */

/** Hub that has a save or a read left. */
export interface WaitingHub {
  readonly kind: 'router' | 'network'
  readonly hub: HubName
}

/**
 * Leaves the next try to the account's hub, which asks a database that is away for all its hubs. False for other faults,
 * and where that hub is unknown or does not answer: then the caller backs off by itself.
 */
export async function leaveToAccount(
  error: unknown,
  hubs: Hubs,
  { hub, kind }: WaitingHub,
  accountHub: HubName | undefined,
): Promise<boolean> {
  if (accountHub === undefined || !isDatabaseAway(error)) return false
  return hubs
    .account(accountHub)
    .databaseAway(hub, kind)
    .then(
      () => true,
      () => false,
    )
}
