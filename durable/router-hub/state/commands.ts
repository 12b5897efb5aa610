import type { AgentFrame } from '#contract/kernel/protocol.ts'
import type { JobResult } from '#contract/network/jobs.ts'

/** A command for the device. Sent at least once; its id makes a repeat harmless. */
export interface Command {
  readonly id: string
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
  readonly expiresAt: number
  readonly state: 'pending' | 'done' | 'failed' | 'expired'
  readonly reason: string
}
export type NewCommand = Omit<Command, 'state' | 'reason'>

/** The newest; one that waits for its device is kept in any case. */
const COMMANDS_KEPT = 20

export function addCommand(commands: readonly Command[], command: NewCommand): readonly Command[] {
  const all = [...commands, { ...command, state: 'pending' as const, reason: '' }]
  return all.filter(({ state }, i) => state === 'pending' || i >= all.length - COMMANDS_KEPT)
}

/** Jobs of the rows that are not among the commands yet; delivery may be repeated. */
export const newJobs = (commands: readonly Command[], jobs: readonly NewCommand[]): readonly NewCommand[] =>
  jobs.filter(({ id }) => !commands.some((command) => command.id === id))

/** Commands that have ended between the two, as their rows hold them. */
export function endedCommands(before: readonly Command[], after: readonly Command[]): readonly JobResult[] {
  if (before === after) return []
  const pending = new Set(before.filter(({ state }) => state === 'pending').map(({ id }) => id))
  return after.flatMap(({ id, state, reason }) =>
    state !== 'pending' && pending.has(id) ? [{ id, state, reason }] : [],
  )
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

export function commandsDue(commands: readonly Command[]): number | null {
  const times = commands.filter((command) => command.state === 'pending').map((command) => command.expiresAt)
  return times.length > 0 ? Math.min(...times) : null
}
