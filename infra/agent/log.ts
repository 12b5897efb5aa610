import type { Clock } from './clock.ts'

/** One event, one English line. Never a key, a code or a token. */
export type Log = (line: string) => void

export function stdoutLog(clock: Clock, name: string): Log {
  process.stdout.on('error', () => {}) // EPIPE: a closed log pipe must not end the agent
  return (line) => console.log(`${new Date(clock.now()).toISOString()} ${name} ${line}`)
}

export const silentLog: Log = () => {}

export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error))
