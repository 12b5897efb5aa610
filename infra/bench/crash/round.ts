import type { Stack } from '../stack.ts'
import { findDisagreements } from './disagreements.ts'
import { differencesFromAudit } from './replay.ts'
import { readAudit, readRows } from './rows.ts'
import { type Consoles, type Fixtures, accountRows, openConsoles } from './fixtures.ts'
import { type Account, isAcknowledged, runWriter } from './writers.ts'

/** kill -9 of all processes, kill -9 of workerd alone, SIGTERM. */
export type Stop = 'kill' | 'kill workerd' | 'restart'

export interface Round {
  readonly stops: readonly Stop[]
  /** Devices that somebody switches off meanwhile, in each account. */
  readonly switchedOff: number
}

export interface Outcome {
  /** From the last start of the service, and the last write, until everything agreed. */
  readonly agreementMs: number
  readonly disagreements: readonly string[]
  /** What was the last to agree. */
  readonly last: readonly string[]
  readonly lost: readonly string[]
  readonly startMs: readonly number[]
}

const WRITERS = 4 // of each account
const CEILING_MS = 120_000
const POLL_MS = 1_000
const FIRST_MS = 60_000

/** Writers and open consoles, stops of the service one after another, and then: how long until everything agrees. */
export async function runRound(stack: Stack, fixtures: Fixtures, { stops, switchedOff }: Round): Promise<Outcome> {
  const { accounts, devices } = fixtures
  for (const { codes } of accounts) {
    for (const serial of codes.keys()) if (!fixtures.neverOn.has(serial)) await devices.start(serial)
  }
  const consoles = new Map<Account, Consoles>()
  for (const account of accounts) consoles.set(account, await openConsoles(stack, account))
  await agreed(stack, fixtures, consoles, FIRST_MS) // a round that starts amid the last one's faults says nothing of its own

  let isDone = false
  const writers = Promise.all(
    accounts.flatMap((account) => Array.from({ length: WRITERS }, () => runWriter(stack, account, () => isDone))),
  )
  writers.catch(() => {}) // awaited below
  const startMs: number[] = []
  for (const [i, stop] of stops.entries()) {
    await pause(500 + 2_500 * Math.random())
    const stopping = performStop(stack, stop)
    const stoppedAt = Date.now()
    if (i === 0) await switchOff(fixtures, switchedOff, stopping)
    await stopping
    startMs.push(Date.now() - stoppedAt)
  }
  await pause(2_000 * Math.random()) // they go on for a while
  isDone = true
  await writers
  for (const { sockets } of consoles.values()) for (const socket of sockets) socket.look()

  const { ms, disagreements, last } = await agreed(stack, fixtures, consoles, CEILING_MS)
  const lost = accounts.flatMap((account) => findLost(stack, account))
  for (const { sockets } of consoles.values()) for (const socket of sockets) socket.stop()
  return { agreementMs: ms, disagreements, last, lost, startMs }
}

function performStop(stack: Stack, stop: Stop): Promise<void> {
  if (stop === 'restart') return stack.restart()
  return stop === 'kill' ? stack.crash() : stack.crashWorkerd()
}

/** Half of them while the service is away, half once it is back. */
async function switchOff({ accounts, devices }: Fixtures, amount: number, stopping: Promise<void>): Promise<void> {
  const chosen = accounts.flatMap(({ codes }) =>
    [...codes.keys()]
      .filter((serial) => devices.isRunning(serial))
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
  consoles: ReadonlyMap<Account, Consoles>,
  ceilingMs: number,
): Promise<{ ms: number; disagreements: readonly string[]; last: readonly string[] }> {
  let last: readonly string[] = []
  for (const startedAt = Date.now(); ; await pause(POLL_MS)) {
    const disagreements: string[] = []
    for (const [account, open] of consoles) {
      await switchOnAgain(stack, fixtures, account)
      const all = readRows(stack.data, [account.username])
      const rows = all.accounts.get(account.username)
      if (rows) disagreements.push(...(await findDisagreements(fixtures, open, all, rows)))
    }
    const ms = Date.now() - startedAt
    if (disagreements.length === 0 || ms > ceilingMs) return { ms, disagreements, last }
    last = disagreements
  }
}

/** A device that is refused because its router is gone asks again minutes later; whoever claims it meanwhile switches it off and on. */
async function switchOnAgain(stack: Stack, { devices }: Fixtures, account: Account): Promise<void> {
  for (const { name, status } of accountRows(stack, account).routers) {
    if (status === 0 || !devices.wasRemoved(name) || devices.isUp(name)) continue
    await devices.stop(name)
    await devices.start(name)
  }
}

/** Acknowledged writes without their audit row or their session's end, and rows that the audit rows do not lead to. */
function findLost(stack: Stack, account: Account): string[] {
  const audit = readAudit(stack.data, account.username)
  const { endedSessions } = readRows(stack.data, [])
  const audited = new Set(audit.map(({ requestId }) => requestId))
  const lost = account.sent
    .filter(isAcknowledged)
    .filter(({ isAudited, answer, ended }) =>
      ended === undefined ? isAudited && !audited.has(answer.requestId) : !endedSessions.has(ended),
    )
    .map(({ path, answer }) => `acknowledged, not in the rows: ${path} ${answer.requestId}`)
  return [...lost, ...differencesFromAudit(accountRows(stack, account), audit)]
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
