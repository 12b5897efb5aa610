import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '../stack.ts'
import { differencesFromAudit } from './audit-replay.ts'
import { compareDevices, compareSockets } from './compare-live.ts'
import { comparePages } from './compare-pages.ts'
import { createComparison } from './comparison.ts'
import { readAudit, readRows } from './rows.ts'
import { type Consoles, type Fixtures, type Tenant, openConsoles, tenantRows } from './tenants.ts'
import { isAcknowledged, runWriter } from './writers.ts'

/** kill -9 of all processes, kill -9 of workerd alone, SIGTERM. */
export type Stop = 'kill' | 'kill workerd' | 'restart'

export interface Round {
  readonly stops: readonly Stop[]
  /** Devices that somebody switches off meanwhile, of each tenant. */
  readonly switchedOff: number
}

interface Agreement {
  /** From the last start of the service, and the last write, until everything agreed. */
  readonly agreementMs: number
  readonly disagreements: readonly string[]
  /** Disagreements of the poll before. */
  readonly last: readonly string[]
}

export interface Outcome extends Agreement {
  /** Acknowledged writes without their rows. */
  readonly lost: readonly string[]
  /** Rows that the audit rows do not explain, and the other way round. */
  readonly unexplained: readonly string[]
  readonly startMs: readonly number[]
}

const WRITERS = 4 // of each tenant
const CEILING_MS = 120_000
const POLL_MS = 1_000
const FIRST_MS = 60_000

/** Writers and open consoles, stops of the service one after another, and then the time until everything agrees. */
export async function runRound(stack: Stack, fixtures: Fixtures, { stops, switchedOff }: Round): Promise<Outcome> {
  const { tenants, devices, neverOn } = fixtures
  for (const { codes } of tenants) {
    for (const serial of codes.keys()) if (!neverOn.has(serial)) await devices.start(serial)
  }
  const consoles = new Map<Tenant, Consoles>()
  for (const tenant of tenants) consoles.set(tenant, await openConsoles(stack, tenant))
  const sockets = [...consoles.values()].flatMap((open) => open.sockets)
  await agreed(stack, fixtures, consoles, FIRST_MS) // else the faults of the last round would count

  let isDone = false
  const writers = Promise.all(
    tenants.flatMap((tenant) => Array.from({ length: WRITERS }, () => runWriter(stack, tenant, () => isDone))),
  )
  writers.catch(() => {}) // awaited below
  const startMs: number[] = []
  for (const [i, stop] of stops.entries()) {
    await sleep(500 + 2_500 * Math.random())
    const stoppedAt = Date.now()
    const stopping = performStop(stack, stop)
    if (i === 0) await switchOff(fixtures, switchedOff, stopping)
    await stopping
    startMs.push(Date.now() - stoppedAt)
  }
  await sleep(2_000 * Math.random()) // they go on for a while
  isDone = true
  await writers
  for (const socket of sockets) socket.look()

  const agreement = await agreed(stack, fixtures, consoles, CEILING_MS)
  for (const socket of sockets) socket.stop()
  return {
    ...agreement,
    lost: tenants.flatMap((tenant) => findLost(stack, tenant)),
    unexplained: tenants.flatMap((tenant) =>
      differencesFromAudit(tenantRows(stack, tenant), readAudit(stack.data, tenant.username)),
    ),
    startMs,
  }
}

function performStop(stack: Stack, stop: Stop): Promise<void> {
  if (stop === 'restart') return stack.restart()
  return stop === 'kill' ? stack.crash() : stack.crashWorkerd()
}

/** Half of them while the service is away, half once it is back. */
async function switchOff({ tenants, devices }: Fixtures, amount: number, stopping: Promise<void>): Promise<void> {
  const chosen = tenants.flatMap(({ codes }) =>
    [...codes.keys()]
      .filter(devices.isRunning)
      .toSorted(() => Math.random() - 0.5)
      .slice(0, amount),
  )
  for (const [i, serial] of chosen.entries()) if (i % 2 === 0) await devices.stop(serial)
  await stopping
  for (const serial of chosen) await devices.stop(serial)
}

async function agreed(
  stack: Stack,
  fixtures: Fixtures,
  consoles: ReadonlyMap<Tenant, Consoles>,
  ceilingMs: number,
): Promise<Agreement> {
  let last: readonly string[] = []
  for (const startedAt = Date.now(); ; await sleep(POLL_MS)) {
    const disagreements: string[] = []
    for (const [tenant, open] of consoles) {
      await switchOnAgain(stack, fixtures, tenant)
      disagreements.push(...(await findDisagreements(stack, fixtures, tenant, open)))
    }
    const agreementMs = Date.now() - startedAt
    if (disagreements.length === 0 || agreementMs > ceilingMs) return { agreementMs, disagreements, last }
    last = disagreements
  }
}

/** A device that is refused because its router is gone asks again minutes later; whoever claims it meanwhile switches it off and on. */
async function switchOnAgain(stack: Stack, { devices }: Fixtures, tenant: Tenant): Promise<void> {
  for (const { name, status } of tenantRows(stack, tenant).routers) {
    if (status === 0 || !devices.wasRemoved(name) || devices.isUp(name)) continue
    await devices.stop(name)
    await devices.start(name)
  }
}

/** Differences of a tenant's lists, details, states, sockets and documents from its rows or from each other. */
async function findDisagreements(stack: Stack, fixtures: Fixtures, tenant: Tenant, open: Consoles): Promise<string[]> {
  const { accounts, outbox, endedSessions } = readRows(stack.data, [tenant.username])
  const rows = accounts.get(tenant.username)
  if (!rows) return []
  const differences = outbox.map((entry) => `the hub outbox still holds ${entry}`)
  const expect = createComparison(differences)
  const pages = await comparePages(open.session, rows, expect)
  compareDevices(fixtures, rows, pages, expect)
  compareSockets(open.sockets, endedSessions, rows, pages, expect)
  return differences
}

/** Acknowledged writes without their audit row or their session's end. */
function findLost(stack: Stack, { username, sent }: Tenant): string[] {
  const audited = new Set(readAudit(stack.data, username).map(({ requestId }) => requestId))
  const { endedSessions } = readRows(stack.data, [])
  const isThere = (write: (typeof sent)[number]) =>
    write.ended === undefined ? !write.isAudited || audited.has(write.answer.requestId) : endedSessions.has(write.ended)
  return sent
    .filter((write) => isAcknowledged(write) && !isThere(write))
    .map(({ path, answer }) => `acknowledged, not in the rows: ${path} ${answer.requestId}`)
}
