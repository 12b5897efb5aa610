import type { Bed } from '../bed/bed.ts'

/* Pings between hosts: one try, and a stream whose largest gap shows an interruption. */

const INTERVAL_S = 0.05
const WAIT_S = 1

export async function canPing(bed: Bed, from: string, address: string): Promise<boolean> {
  const argv = ['ping', '-n', '-c', '1', '-W', String(WAIT_S), address]
  return (await bed.run(from, argv)).code === 0
}

export interface PingResult {
  readonly sent: number
  readonly received: number
  /** Longest time without an answer, in ms. */
  readonly largestGapMs: number
}

export interface PingStream {
  /** Answers so far. */
  received(): number
  stop(): Promise<PingResult>
}

const ANSWER = /^\[(\d+\.\d+)\] \d+ bytes from .* icmp_seq=/

/** Result of `ping -D`: answers with the time at which they came, between two times in ms. Pure. */
export function parsePings(output: string, startedAt: number, stoppedAt: number): PingResult {
  const answers = output.split('\n').flatMap((line) => {
    const seconds = ANSWER.exec(line)?.[1]
    return seconds === undefined || line.includes('DUP!') ? [] : [Number(seconds) * 1000]
  })
  const moments = [startedAt, ...answers, stoppedAt]
  const gaps = moments.slice(1).map((at, n) => at - (moments[n] ?? at))
  return {
    sent: Number(/(\d+) packets transmitted/.exec(output)?.[1] ?? 0),
    received: answers.length,
    largestGapMs: Math.max(0, ...gaps),
  }
}

/** Starts a ping every 50 ms, which goes on until it is stopped. @param bytes of its payload */
export function startPings(bed: Bed, from: string, address: string, bytes = 56): PingStream {
  const startedAt = Date.now()
  const child = bed.start(from, ['ping', '-n', '-D', '-i', String(INTERVAL_S), '-s', String(bytes), address], {
    output: 'pipe',
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    received: () => parsePings(output, 0, 0).received,
    async stop() {
      const stoppedAt = Date.now()
      child.kill('SIGINT')
      await ended
      return parsePings(output, startedAt, stoppedAt)
    },
  }
}
