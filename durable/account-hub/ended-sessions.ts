import type { Hubs } from '#contract/kernel/hubs.ts'
import { mapLimit } from '#db/map-limit.ts'
import type { SessionRegister } from './storage.ts'

/** Hubs called at the same time. */
const CONCURRENCY = 20

/** Closes the sockets of ended sessions on every hub that they watch. Throws where one did not answer: it stays registered. */
export async function closeEndedSessions(
  register: SessionRegister,
  hubs: Hubs,
  /** Ends the sessions on the account's own hub. */
  endHere: (sessionIds: string[]) => void,
): Promise<void> {
  const results = await mapLimit(register.hubsOfEnded(), CONCURRENCY, async ({ kind, hub, sessionIds }) => {
    if (kind === 'account') endHere(sessionIds)
    else await hubs[kind](hub).endSessions(sessionIds)
    for (const sessionId of sessionIds) register.unwatch(sessionId, hub)
  })
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
