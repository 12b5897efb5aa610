import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, median, print } from '../report.ts'
import { type Stack, type Stop, startStack } from '../stack.ts'
import { findDisagreements, findLost, findUnexplained } from './comparison.ts'
import { readAccount } from './rows.ts'
import { type Tenant, createTenants, runWriter } from './tenants.ts'

/* Bench of crashes: kill -9 and plain restarts of the service under parallel writers. */

/** Stops of a round, in turn. Each round begins one further, so that every kind is once the last. */
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
const POLL_MS = 1_000

type Outcome = Awaited<ReturnType<typeof runRound>>

/** A round is eight stops, one after another while devices are still returning; then everything has to agree. */
export async function benchCrash(): Promise<readonly Finding[]> {
  const stack = await startStack(['infra/start.ts', '--no-agents', '--no-demo'])
  try {
    const tenants = await createTenants(stack)
    try {
      return await measure(stack, tenants)
    } finally {
      await Promise.all(tenants.map(({ devices }) => devices.stop()))
    }
  } finally {
    await stack.stop()
  }
}

async function measure(stack: Stack, tenants: readonly Tenant[]): Promise<readonly Finding[]> {
  await untilAgreed(stack, tenants)
  const outcomes: Outcome[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % STOPS.length
    const outcome = await runRound(stack, tenants, [...STOPS.slice(first), ...STOPS.slice(0, first)])
    outcomes.push(outcome)
    process.stdout.write(`  round ${round + 1} of ${ROUNDS}: ${describeRound(outcome)}\n`)
  }
  const seconds = outcomes.map(({ agreementMs }) => agreementMs / 1000)
  const count = (what: string, value: number): Finding => ({ what, value, unit: '' })
  const stops = (kind: Stop) => count(`stops by ${kind}`, ROUNDS * STOPS.filter((stop) => stop === kind).length)
  const requestIds = tenants.flatMap((tenant) => tenant.requestIds)
  const none = (what: string, pick: (outcome: Outcome) => readonly string[]): Finding => {
    return { ...count(what, outcomes.flatMap(pick).length), budget: 0, must: 'always be' }
  }
  const longest = { value: Math.max(...seconds), unit: 's', budget: BUDGET_SECONDS, must: 'stay below' } as const
  const findings: Finding[] = [
    stops('kill'),
    stops('kill workerd'),
    stops('restart'),
    count('calls of the writers', requestIds.length),
    count('of them acknowledged', requestIds.filter(Boolean).length),
    { what: 'start of the service, median', value: median(outcomes.flatMap((o) => o.startMs)) / 1000, unit: 's' },
    { what: 'until everything agrees, median', value: median(seconds), unit: 's' },
    { what: 'until everything agrees, longest', ...longest },
    none('disagreements that stayed', ({ disagreements }) => disagreements),
    none('acknowledged writes lost', ({ lost }) => lost),
    none('rows that no audit row explains', ({ unexplained }) => unexplained),
  ]
  return print('kill -9 and plain restarts under 8 parallel writers', findings)
}

function describeRound({ agreementMs, disagreements, lost, unexplained }: Outcome): string {
  const faults = [...disagreements, ...lost, ...unexplained]
  return [`${(agreementMs / 1000).toFixed(1)} s, ${faults.length} faults`, ...faults].join('\n    ')
}

/** Runs the writers, stops the service several times, and waits until everything agrees; returns what does not. */
async function runRound(stack: Stack, tenants: readonly Tenant[], stops: readonly Stop[]) {
  let isDone = false
  const writers = Promise.all(
    tenants.flatMap((tenant) => Array.from({ length: WRITERS }, () => runWriter(stack, tenant, () => isDone))),
  )
  writers.catch(() => {}) // awaited below
  const startMs: number[] = []
  for (const stop of stops) {
    await sleep(500 + 2_500 * Math.random())
    const stoppedAt = Date.now()
    await stack.interrupt(stop)
    startMs.push(Date.now() - stoppedAt)
  }
  await sleep(2_000 * Math.random()) // they go on for a while
  isDone = true
  await writers

  const agreement = await untilAgreed(stack, tenants)
  const accounts = tenants.map((tenant) => ({ tenant, rows: readAccount(stack.data, tenant.username) }))
  return {
    ...agreement,
    lost: accounts.flatMap(({ tenant, rows }) => findLost(tenant, rows)),
    unexplained: accounts.flatMap(({ rows }) => findUnexplained(rows)),
    startMs,
  }
}

/** Waits until everything agrees, at most for the budget; returns the time that it took, and remaining disagreements. */
async function untilAgreed(stack: Stack, tenants: readonly Tenant[]) {
  for (const startedAt = Date.now(); ; await sleep(POLL_MS)) {
    const found = await Promise.all(tenants.map((tenant) => findDisagreements(stack, tenant)))
    const [agreementMs, disagreements] = [Date.now() - startedAt, found.flat()]
    if (disagreements.length === 0 || agreementMs > BUDGET_SECONDS * 1_000) return { agreementMs, disagreements }
  }
}
