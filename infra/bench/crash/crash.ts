import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, median, print } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'
import { differencesFromAudit } from './audit-replay.ts'
import { compareAccount } from './comparison.ts'
import { readAudit, readRows } from './rows.ts'
import { type Consoles, type Fixtures, type Tenant, createFixtures, openConsoles, tenantRows } from './tenants.ts'
import { isAcknowledged, runWriter } from './writers.ts'

/** kill -9 of all processes, kill -9 of workerd alone (back within a second or two), SIGTERM. */
type Stop = 'kill' | 'kill workerd' | 'restart'

/** Stops of a round, in turn; each round begins one further, so that every kind comes last. */
const STOPS: readonly Stop[] = [
  'kill workerd',
  'kill workerd',
  'restart',
  'kill workerd',
  'kill',
  'kill workerd',
  'kill workerd',
  'restart',
]
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 12)
const WRITERS = 4 // of each tenant
const BUDGET_SECONDS = 120
const FIRST_MS = 60_000
const POLL_MS = 1_000
/** A round that takes longer prints the disagreements of its last poll. */
const LATE_MS = 30_000

interface Agreement {
  /** From the last start of the service, and the last write, until everything agreed. */
  readonly agreementMs: number
  readonly disagreements: readonly string[]
  /** Disagreements of the poll before. */
  readonly last: readonly string[]
}

interface Outcome extends Agreement {
  /** Acknowledged writes without their rows. */
  readonly lost: readonly string[]
  /** Rows that the audit rows do not explain, and the other way round. */
  readonly unexplained: readonly string[]
  readonly startMs: readonly number[]
}

/**
 * kill -9 and plain restarts under parallel writers. A round is eight of them, one after another while devices and consoles
 * are still coming back, and then everything has to agree.
 */
export async function benchCrash(): Promise<readonly Finding[]> {
  const stack = await startStack(['infra/start.ts', '--no-agents', '--no-demo'])
  try {
    const fixtures = await createFixtures(stack)
    try {
      return await measure(stack, fixtures)
    } finally {
      await fixtures.devices.stopAll()
    }
  } finally {
    await stack.stop()
  }
}

async function measure(stack: Stack, fixtures: Fixtures): Promise<readonly Finding[]> {
  const outcomes: Outcome[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % STOPS.length
    const outcome = await runRound(stack, fixtures, [...STOPS.slice(first), ...STOPS.slice(0, first)])
    outcomes.push(outcome)
    process.stdout.write(`  round ${round + 1} of ${ROUNDS}: ${describeRound(outcome)}\n`)
  }
  const sent = fixtures.tenants.flatMap((tenant) => tenant.sent)
  const seconds = outcomes.map(({ agreementMs }) => agreementMs / 1000)
  const count = (what: string, value: number): Finding => ({ what, value, unit: '' })
  const stops = (kind: Stop) => count(`stops by ${kind}`, ROUNDS * STOPS.filter((stop) => stop === kind).length)
  const none = (what: string, pick: (outcome: Outcome) => readonly string[]): Finding => {
    return { ...count(what, outcomes.flatMap(pick).length), budget: 0, must: 'always be' }
  }
  const longest = { value: Math.max(...seconds), unit: 's', budget: BUDGET_SECONDS, must: 'stay below' } as const
  const findings: Finding[] = [
    stops('kill'),
    stops('kill workerd'),
    stops('restart'),
    count('calls of the writers', sent.length),
    count('of them acknowledged', sent.filter(isAcknowledged).length),
    count('of them without an answer', sent.filter(({ answer }) => answer.code === 0).length),
    count('of them a fault', sent.filter(({ answer }) => answer.code === 500).length),
    { what: 'start of the service, median', value: median(outcomes.flatMap((o) => o.startMs)) / 1000, unit: 's' },
    { what: 'until everything agrees, median', value: median(seconds), unit: 's' },
    { what: 'until everything agrees, longest', ...longest },
    none('disagreements that stayed', ({ disagreements }) => disagreements),
    none('acknowledged writes lost', ({ lost }) => lost),
    none('rows that no audit row explains', ({ unexplained }) => unexplained),
  ]
  print('kill -9 and plain restarts under 8 parallel writers', findings)
  return findings
}

function describeRound({ agreementMs, disagreements, lost, unexplained, last }: Outcome): string {
  const faults = [...disagreements, ...lost, ...unexplained]
  const late = agreementMs > LATE_MS ? last.map((line) => `last to agree: ${line}`) : []
  return [`${(agreementMs / 1000).toFixed(1)} s, ${faults.length} faults`, ...faults, ...late].join('\n    ')
}

/** Writers and open consoles, stops of the service one after another, and then the time until everything agrees. */
async function runRound(stack: Stack, fixtures: Fixtures, stops: readonly Stop[]): Promise<Outcome> {
  const { tenants, devices } = fixtures
  const consoles = new Map<Tenant, Consoles>()
  for (const tenant of tenants) {
    for (const serial of tenant.codes.keys()) await devices.start(serial)
    consoles.set(tenant, await openConsoles(stack, tenant))
  }
  const sockets = [...consoles.values()].flatMap((open) => open.sockets)
  await agreed(stack, fixtures, consoles, FIRST_MS) // else the faults of the last round would count

  let isDone = false
  const writers = Promise.all(
    tenants.flatMap((tenant) => Array.from({ length: WRITERS }, () => runWriter(stack, tenant, () => isDone))),
  )
  writers.catch(() => {}) // awaited below
  const startMs: number[] = []
  for (const stop of stops) {
    await sleep(500 + 2_500 * Math.random())
    const stoppedAt = Date.now()
    await performStop(stack, stop)
    startMs.push(Date.now() - stoppedAt)
  }
  await sleep(2_000 * Math.random()) // they go on for a while
  isDone = true
  await writers
  for (const socket of sockets) socket.look()

  const agreement = await agreed(stack, fixtures, consoles, BUDGET_SECONDS * 1_000)
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

/** A device that is refused because its router is gone asks again minutes later; a new claim switches it off and on. */
async function switchOnAgain(stack: Stack, { devices }: Fixtures, tenant: Tenant): Promise<void> {
  for (const { name, status } of tenantRows(stack, tenant).routers) {
    if (status === 0 || !devices.wasRemoved(name) || devices.isUp(name)) continue
    await devices.stop(name)
    await devices.start(name)
  }
}

async function findDisagreements(stack: Stack, { devices }: Fixtures, tenant: Tenant, open: Consoles) {
  const { accounts, outbox, endedSessions } = readRows(stack.data, [tenant.username])
  const rows = accounts.get(tenant.username)
  if (!rows) throw new Error(`no account ${tenant.username}`)
  const undelivered = outbox.map((entry) => `the hub outbox still holds ${entry}`)
  return [...undelivered, ...(await compareAccount({ ...open, devices, rows, endedSessions }))]
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
