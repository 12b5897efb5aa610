import type { AgentFrame } from '../../worker/contract/protocol.ts'

/** A command for the device. Sent at least once; its id makes a repeat harmless. */
export interface Command {
  readonly id: string
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
  readonly expiresAt: number
  readonly state: 'pending' | 'done' | 'failed' | 'expired'
  readonly reason: string
}

const COMMANDS_KEPT = 20

export function addCommand(
  commands: readonly Command[],
  command: Omit<Command, 'state' | 'reason'>,
): readonly Command[] {
  return [...commands, { ...command, state: 'pending' as const, reason: '' }].slice(-COMMANDS_KEPT)
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
