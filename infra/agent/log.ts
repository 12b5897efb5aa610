import type { Clock } from './clock.ts'

/** Log of the agent: one English line for each event, without keys, codes and tokens. */
export type Log = (line: string) => void

/** EPIPE: a closed log pipe must not end the agent. */
const ignoreClosedPipe = () => {}

export function stdoutLog(clock: Clock, name: string): Log {
  process.stdout.off('error', ignoreClosedPipe).on('error', ignoreClosedPipe) // once in a process of many devices
  return (line) => console.log(`${new Date(clock.now()).toISOString()} ${name} ${line}`)
}

export const silentLog: Log = () => {}

export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error))
