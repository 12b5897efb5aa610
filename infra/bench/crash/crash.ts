import { setTimeout as sleep } from 'node:timers/promises'
import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { type Finding, median, print } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'
import { type Outcome, type Round, type Stop, runRound } from './round.ts'
import { type Fixtures, createFixtures, tenantRows } from './tenants.ts'
import { isAcknowledged } from './writers.ts'

const KILLS = Number(process.env['CRASH_KILLS'] ?? 72)
const RESTARTS = Number(process.env['CRASH_RESTARTS'] ?? 24)
const STOPS_PER_ROUND = 8
/** Of the kills; the others are of workerd alone, which is back within a second or two. */
const ALL_PROCESSES_EVERY = 6
/** Every so many rounds devices are switched off, whose leases have to pass. */
const SWITCH_OFF_EVERY = 4
const BUDGET_SECONDS = 120
/** A round that takes longer prints the disagreements of its last poll. */
const LATE_MS = 30_000
/** A device that was away when its router was deleted waits so long before it empties itself (infra/docs/agent.md). */
const EMPTIED_MS = PRESENCE.restartSpreadMs + AGENT.unclaimedMs + AGENT.retryMaxMs

/**
 * kill -9 and plain restarts under parallel writers. Each stop counts; a round is eight of them, one after another while
 * devices and consoles are still coming back, and then everything has to agree.
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
  const rounds = planRounds()
  for (const [i, round] of rounds.entries()) {
    const outcome = await runRound(stack, fixtures, round)
    outcomes.push(outcome)
    process.stdout.write(`  round ${i + 1} of ${rounds.length} ${describeRound(round, outcome)}\n`)
  }
  const left = await notEmptied(stack, fixtures)
  const sent = fixtures.tenants.flatMap((tenant) => tenant.sent)
  const stops = rounds.flatMap((round) => round.stops)
  const seconds = outcomes.map(({ agreementMs }) => agreementMs / 1000)
  const count = (what: string, value: number): Finding => ({ what, value, unit: '' })
  const zero = (what: string, items: readonly string[]): Finding => {
    return { ...count(what, items.length), budget: 0, must: 'always be' }
  }
  const findings: Finding[] = [
    count('kill -9 of all processes', stops.filter((stop) => stop === 'kill').length),
    count('kill -9 of workerd alone', stops.filter((stop) => stop === 'kill workerd').length),
    count('plain restarts', stops.filter((stop) => stop === 'restart').length),
    count('calls of the writers', sent.length),
    count('of them acknowledged', sent.filter(isAcknowledged).length),
    count('of them without an answer', sent.filter(({ answer }) => answer.code === 0).length),
    count('of them a fault', sent.filter(({ answer }) => answer.code === 500).length),
    { what: 'start of the service, median', value: median(outcomes.flatMap((o) => o.startMs)) / 1000, unit: 's' },
    { what: 'until everything agrees, median', value: median(seconds), unit: 's' },
    {
      what: 'until everything agrees, longest',
      value: Math.max(...seconds),
      unit: 's',
      budget: BUDGET_SECONDS,
      must: 'stay below',
    },
    zero(
      'disagreements that stayed',
      outcomes.flatMap(({ disagreements }) => disagreements),
    ),
    zero(
      'acknowledged writes lost',
      outcomes.flatMap(({ lost }) => lost),
    ),
    zero(
      'rows that no audit row explains',
      outcomes.flatMap(({ unexplained }) => unexplained),
    ),
    zero('removed devices that still run a configuration', left),
  ]
  print('kill -9 and plain restarts under 8 parallel writers', findings)
  return findings
}

function describeRound({ stops, switchedOff }: Round, outcome: Outcome): string {
  const { agreementMs, disagreements, lost, unexplained, last } = outcome
  const faults = [...disagreements, ...lost, ...unexplained]
  const late = agreementMs > LATE_MS ? last.map((line) => `last to agree: ${line}`) : []
  const what = `(${stops.join(', ')}${switchedOff > 0 ? ', devices off' : ''})`
  return [`${what}: ${(agreementMs / 1000).toFixed(1)} s, ${faults.length} faults`, ...faults, ...late].join('\n    ')
}

/** Kinds mixed evenly. A round in three ends with plain restarts, one with a kill of workerd alone, one with a kill of all processes. */
function planRounds(): Round[] {
  const total = KILLS + RESTARTS
  let kills = 0
  const stops = Array.from({ length: total }, (_, i): Stop => {
    const before = Math.floor((i * RESTARTS) / total)
    if (Math.floor(((i + 1) * RESTARTS) / total) > before) return 'restart'
    return kills++ % ALL_PROCESSES_EVERY === 0 ? 'kill' : 'kill workerd'
  })
  return Array.from({ length: Math.ceil(total / STOPS_PER_ROUND) }, (_, i) => {
    const own = stops.slice(i * STOPS_PER_ROUND, (i + 1) * STOPS_PER_ROUND)
    return {
      stops: [own.toSorted(), [...own.slice(2), ...own.slice(0, 2)], own.toSorted().toReversed()][i % 3] ?? own,
      switchedOff: i % SWITCH_OFF_EVERY === SWITCH_OFF_EVERY - 1 ? 2 : 0,
    }
  })
}

/** Devices of deleted routers that still run a configuration once they have had their time. */
async function notEmptied(stack: Stack, { tenants, devices }: Fixtures): Promise<string[]> {
  const claimed = new Set(tenants.flatMap((tenant) => tenantRows(stack, tenant).routers.map(({ name }) => name)))
  const removed = tenants.flatMap(({ codes }) => [...codes.keys()].filter((serial) => !claimed.has(serial)))
  for (const end = Date.now() + EMPTIED_MS; ; await sleep(1_000)) {
    const left = removed.filter((serial) => !devices.hasNoNetworks(serial))
    if (left.length === 0 || Date.now() > end) return left
  }
}
