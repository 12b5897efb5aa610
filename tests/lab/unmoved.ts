import type { Bed } from '#infra/lab/bed/bed.ts'
import type { SiteName } from '#infra/lab/bed/sites.ts'
import { OFFICE } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import type { PingResult } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { requireThat } from './check.ts'
import { readCarriers } from './router-state.ts'
import { untilWell } from './stands.ts'

/* Proof that something moved nothing: processes with the same numbers, and no ping lost. */

const RECEIVED_MS = 30_000

/** Routers of the network OFFICE that are in no other one. */
export const ALL: readonly SiteName[] = ['A', 'B', 'C', 'D']

export const readAllCarriers = (bed: Bed) => ALL.map((site) => `${site}: ${readCarriers(bed, site).join(', ')}`)

/** The last answer may be on its way. */
export function requireNoneLost({ sent, received }: PingResult): void {
  requireThat(received > 0 && sent - received <= 1, `${sent - received} of ${sent} pings lost`)
}

export function requireSame(before: readonly string[], after: readonly string[]): void {
  const moved = after.filter((line, n) => line !== before[n])
  requireThat(moved.length === 0, `processes moved: ${moved.join('; ')}, before: ${before.join('; ')}`)
}

export const untilOfficeWell = ({ customers: [customer] }: Lab) => untilWell(customer, OFFICE.name)

/** Waits until agents have received and applied what a change sends them. */
export async function untilReceived(
  lab: Lab,
  sites: readonly SiteName[],
  change: () => Promise<unknown>,
): Promise<void> {
  const count = () => sites.map((site) => lab.agents.get(site)?.documents() ?? 0)
  const before = count()
  await change()
  await poll('the agents receive the change', RECEIVED_MS, count, (now) =>
    now.every((one, n) => one > (before[n] ?? 0)),
  )
  await untilOfficeWell(lab)
}
