import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { type Finding, median, print } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'
import { type Outcome, type Round, type Stop, runRound } from './round.ts'
import { type Fixtures, accountRows, createFixtures } from './fixtures.ts'
import { isAcknowledged } from './writers.ts'

const KILLS = Number(process.env['CRASH_KILLS'] ?? 72)
const RESTARTS = Number(process.env['CRASH_RESTARTS'] ?? 24)
const STOPS_PER_ROUND = 8
/** Of the kills; the others are of workerd alone, which is back within a second or two. */
const ALL_PROCESSES_EVERY = 6
/** Every so many rounds devices are switched off, whose leases have to pass. */
const SWITCH_OFF_EVERY = 4
const BUDGET_SECONDS = 120
/** A round that takes longer prints what it waited for. */
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
  const beganAt = Date.now()
  for (const [i, round] of rounds.entries()) {
    const outcome = await runRound(stack, fixtures, round)
    outcomes.push(outcome)
    const { agreementMs, disagreements, last, lost } = outcome
    const late = agreementMs > LATE_MS ? last.map((line) => `    last to agree: ${line}\n`) : []
    const lines = [...disagreements, ...lost].map((line) => `    ${line}\n`)
    process.stdout.write(
      `  round ${i + 1} of ${rounds.length} (${round.stops.join(', ')}${round.switchedOff > 0 ? ', devices off' : ''}): ` +
        `${(agreementMs / 1000).toFixed(1)} s, ${lines.length} findings, ${Math.round((Date.now() - beganAt) / 1000)} s in all\n${[...lines, ...late].join('')}`,
    )
  }
  const left = await notEmptied(stack, fixtures)
  const sent = fixtures.accounts.flatMap((account) => account.sent)
  const count = (isCounted: (code: number) => boolean) => sent.filter(({ answer }) => isCounted(answer.code)).length
  const seconds = outcomes.map(({ agreementMs }) => agreementMs / 1000)
  const lost = outcomes.flatMap((outcome) => outcome.lost)
  const findings: Finding[] = [
    { what: 'kill -9 of all processes', value: countStops(rounds, 'kill'), unit: 'times' },
    { what: 'kill -9 of workerd alone', value: countStops(rounds, 'kill workerd'), unit: 'times' },
    { what: 'plain restarts', value: countStops(rounds, 'restart'), unit: 'times' },
    { what: 'rounds', value: rounds.length, unit: 'rounds' },
    { what: 'calls of the writers', value: sent.length, unit: 'calls' },
    { what: 'of them acknowledged', value: sent.filter(isAcknowledged).length, unit: 'calls' },
    { what: 'of them without an answer', value: count((code) => code === 0), unit: 'calls' },
    { what: 'of them a fault', value: count((code) => code === 500), unit: 'calls' },
    { what: 'start of the service, median', value: median(outcomes.flatMap((o) => o.startMs)) / 1000, unit: 's' },
    { what: 'until everything agrees, median', value: median(seconds), unit: 's' },
    {
      what: 'until everything agrees, longest',
      value: Math.max(...seconds),
      unit: 's',
      budget: BUDGET_SECONDS,
      must: 'stay below',
    },
    zero('disagreements that stayed', outcomes.flatMap(({ disagreements }) => disagreements).length),
    zero('acknowledged writes lost', lost.filter((line) => line.startsWith('acknowledged')).length),
    zero('rows that no audit row explains', lost.filter((line) => !line.startsWith('acknowledged')).length),
    zero('removed devices that still run a configuration', left.length),
  ]
  print('kill -9 and plain restarts under 8 parallel writers', findings)
  return findings
}

const zero = (what: string, value: number): Finding => ({ what, value, unit: '', budget: 0, must: 'stay below' })

const countStops = (rounds: readonly Round[], stop: Stop): number =>
  rounds.flatMap(({ stops }) => stops).filter((one) => one === stop).length

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
async function notEmptied(stack: Stack, { accounts, devices }: Fixtures): Promise<string[]> {
  const claimed = new Set(accounts.flatMap((account) => accountRows(stack, account).routers.map(({ name }) => name)))
  const removed = accounts.flatMap(({ codes }) => [...codes.keys()].filter((serial) => !claimed.has(serial)))
  for (const end = Date.now() + EMPTIED_MS; ; await new Promise((resolve) => setTimeout(resolve, 1_000))) {
    const left = removed.filter((serial) => !devices.hasNoNetworks(serial))
    if (left.length === 0 || Date.now() > end) return left
  }
}
