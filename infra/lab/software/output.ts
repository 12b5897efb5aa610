import { type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { poll } from '../poll.ts'

/* Output of a program, line by line with the time at which each came. */

interface TimedLine {
  /** Epoch ms. */
  readonly at: number
  readonly text: string
}

export interface Output {
  lines(): readonly TimedLine[]
  /** The first line with the text that came at `since` or later. */
  until(text: string, limitMs: number, since?: number): Promise<TimedLine>
  hasEnded(): boolean
  stop(): Promise<void>
}

/** @param name of the program in sentences */
export function watchOutput(name: string, child: ChildProcess): Output {
  const lines: TimedLine[] = []
  for (const input of [child.stdout, child.stderr])
    if (input) createInterface({ input }).on('line', (text) => lines.push({ at: Date.now(), text }))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const find = (text: string, since: number) => lines.find((line) => line.at >= since && line.text.includes(text))
  return {
    lines: () => lines,
    hasEnded,
    async until(text, limitMs, since = 0) {
      await poll(
        `${name} says “${text}”`,
        limitMs,
        () => lines.slice(-4).map((line) => line.text),
        () => find(text, since) !== undefined,
      )
      return find(text, since) ?? { at: 0, text: '' }
    },
    async stop() {
      if (!hasEnded()) child.kill('SIGTERM')
      await ended
    },
  }
}
