import { setTimeout as sleep } from 'node:timers/promises'
import { PROBE } from '#contract/kernel/hub-limits.ts'
import { PING } from '#contract/kernel/protocol.ts'
import { SITES, SPARES } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { startCapture } from '#infra/lab/packets/capture.ts'
import { poll } from '#infra/lab/poll.ts'
import { withSpare } from '#tests/lab/spare-router.ts'
import type { Finding } from '#infra/bench/report.ts'
import { countHubRows } from './hub-rows.ts'
import { readMessages } from './socket-messages.ts'

/*
 * Messages of an idle router with two links to its hub in five minutes, and rows that its hub has more after them. The peer is
 * a router without tunnels in the same minutes. Pings, which wake no hub, are left out; a count is taken once.
 */

const SITE = 'C'
const WINDOW_MS = 300_000
/** Time after which a router has reported itself, and the first loss of each link. */
const SETTLED_MS = (PROBE.lossFrom + 2) * PROBE.intervalMs
const ONLINE_MS = 30_000
const TO_SERVICE = ['tcp', 'and', 'dst', 'port', '80']
const MORE_FRAMES = 1

export async function benchIdle(lab: Lab): Promise<readonly Finding[]> {
  let findings: readonly Finding[] = []
  await withSpare(lab, async ({ serial, agent }) => {
    await poll('the router is connected', ONLINE_MS, () => agent.connections(), Boolean)
    await sleep(SETTLED_MS)
    findings = await count(lab, [officeOf(lab.customers[0]).name(SITE), serial])
  })
  return findings
}

async function count(
  { bed, folder, stack }: Lab,
  [linked, bare]: readonly [string, string],
): Promise<readonly Finding[]> {
  const countRows = () => [linked, bare].map((serial) => countHubRows(stack.data, serial))
  const rowsBefore = countRows()
  const capture = await startCapture(bed, folder, { filter: TO_SERVICE })
  await sleep(WINDOW_MS)
  const packets = await capture.stop()
  const rows = countRows().map((after, n) => after - (rowsBefore[n] ?? 0))
  const [ours = [], peers = []] = [SITES[SITE].address, SPARES.spare.address].map((address) =>
    readMessages(packets.filter(({ source }) => source === address)).filter((text) => text !== PING),
  )
  const more = (rows[0] ?? 0) - (rows[1] ?? 0)
  return [
    { what: 'idle, two links: messages in 5 min', value: ours.length, unit: '', note: describeKinds(ours) },
    { what: 'idle, no tunnels: messages in 5 min', value: peers.length, unit: '', note: describeKinds(peers) },
    { what: 'idle, messages more', value: ours.length - peers.length, unit: '', budget: MORE_FRAMES },
    { what: 'idle, rows of its hub more', value: more, unit: '', budget: 0 },
  ]
}

/** Numbers of messages by their kind, such as `counters 2`. */
const describeKinds = (messages: readonly string[]): string =>
  [...Map.groupBy(messages, (text) => /"t":"(\w+)"/.exec(text)?.[1] ?? '?')]
    .map(([kind, same]) => `${kind} ${same.length}`)
    .join(', ')
