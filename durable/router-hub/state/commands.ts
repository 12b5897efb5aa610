import type { AgentFrame } from '#contract/kernel/protocol.ts'
import { earliest } from '#contract/kernel/time.ts'
import type { JobResult } from '#contract/network/jobs.ts'
import { toDataText, withDataDropped } from '#domain/network/members/job-data.ts'
import { isSameJson } from '#contract/kernel/compare.ts'

/* List of commands for a device: new jobs, results and expiry. Pure functions. */

/** Command for the device. It is sent at least once; its id makes a repeat harmless. */
export interface Command {
  readonly id: string
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
  readonly expiresAt: number
  readonly state: 'pending' | 'done' | 'failed' | 'expired'
  readonly reason: string
}
export type NewCommand = Omit<Command, 'state' | 'reason'>

/** Commands that are kept, the newest; a command that waits for its device is always kept. */
const COMMANDS_KEPT = 20

export function addCommand(commands: readonly Command[], command: NewCommand): readonly Command[] {
  const all = [...commands, { ...command, state: 'pending' as const, reason: '' }]
  return all.filter(({ state }, i) => state === 'pending' || i >= all.length - COMMANDS_KEPT)
}

/** Jobs of the rows that are no commands yet; delivery may be repeated. */
export const newJobs = (commands: readonly Command[], jobs: readonly NewCommand[]): readonly NewCommand[] =>
  jobs.filter(({ id }) => !commands.some((command) => command.id === id))

/** True for the same kind and parameters: a command that waits already is not sent a second time. */
export const isWaiting = (commands: readonly Command[], { kind, params }: NewCommand): boolean =>
  commands.some((each) => each.state === 'pending' && each.kind === kind && isSameJson(each.params, params))

/**
 * Results, for their rows, of commands that have ended between the two lists. Data comes from the answer alone: the list,
 * which is stored with each change, has none.
 */
export function endedCommands(
  before: readonly Command[],
  after: readonly Command[],
  answer: CommandResult | null,
): readonly JobResult[] {
  if (before === after) return []
  const pending = new Set(before.filter(({ state }) => state === 'pending').map(({ id }) => id))
  return after.flatMap(({ id, state, reason }) =>
    state !== 'pending' && pending.has(id)
      ? [{ id, state, reason, ...(answer?.id === id && toStoredData(answer)) }]
      : [],
  )
}

function toStoredData({ data, reason = '' }: CommandResult): Partial<JobResult> {
  if (data === undefined || data === null) return {}
  const text = toDataText(data)
  return text === null ? { reason: withDataDropped(reason) } : { data: text }
}

export const pendingCommands = (commands: readonly Command[], now: number): readonly Command[] =>
  commands.filter((command) => command.state === 'pending' && command.expiresAt > now)

/** The first result counts; one for an unknown id is ignored. */
export function finishCommand(
  commands: readonly Command[],
  { id, state, reason = '' }: CommandResult,
): readonly Command[] {
  if (!commands.some((command) => command.id === id && command.state === 'pending')) return commands
  return commands.map((command) => (command.id === id ? { ...command, state, reason } : command))
}
type CommandResult = Extract<AgentFrame, { t: 'job_result' }>

export function expireCommands(commands: readonly Command[], now: number): readonly Command[] {
  const isOver = (command: Command) => command.state === 'pending' && command.expiresAt <= now
  return commands.some(isOver)
    ? commands.map((command) => (isOver(command) ? { ...command, state: 'expired' } : command))
    : commands
}

export const commandsDue = (commands: readonly Command[]): number | null =>
  earliest(commands.map(({ state, expiresAt }) => (state === 'pending' ? expiresAt : null)))
