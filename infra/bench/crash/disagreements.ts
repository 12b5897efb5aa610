import { compareNetworks } from './compare-networks.ts'
import { compareDevices, compareRouters } from './compare-routers.ts'
import { compareSockets } from './compare-sockets.ts'
import { createComparison } from './comparison.ts'
import type { AccountRows, Rows } from './rows.ts'
import type { Consoles, Fixtures } from './fixtures.ts'

/** Everything that an account's lists, details, states, sockets and documents say otherwise than its rows or each other. */
export async function findDisagreements(
  fixtures: Fixtures,
  { session, sockets }: Consoles,
  all: Rows,
  rows: AccountRows,
): Promise<string[]> {
  const found: string[] = all.outbox.map((entry) => `the hub outbox still holds ${entry}`)
  const expect = createComparison(found)
  const states = await compareNetworks(session, rows, expect)
  const listed = await compareRouters(session, rows, expect)
  compareDevices(fixtures, rows, listed, expect)
  compareSockets(sockets, all.endedSessions, { rows, states, listed }, expect)
  return found
}
