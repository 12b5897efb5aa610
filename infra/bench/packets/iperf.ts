import { installPackages } from '#infra/local/network-tools.ts'
import { isExecutable } from '#infra/local/processes.ts'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { watchOutput } from '#infra/lab/software/output.ts'
import { runAt } from './by-hand.ts'

/* One TCP connection between hosts by iperf3. */

const IPERF = '/usr/bin/iperf3'
const READY_MS = 10_000

/** Installs iperf3; false if it is missing still. */
export async function installIperf(): Promise<boolean> {
  if (!isExecutable(IPERF)) await installPackages(['iperf3'])
  return isExecutable(IPERF)
}

export interface Flow {
  readonly mbps: number
  /** Megabits that have arrived. */
  readonly mbit: number
}

/** Result of `iperf3 --json` at the sender. Pure. */
export function parseFlow(json: string): Flow {
  const { end, error } = JSON.parse(json) as {
    readonly error?: string
    readonly end?: { readonly sum_received?: { readonly bytes: number; readonly bits_per_second: number } }
  }
  const received = end?.sum_received
  if (received === undefined) throw new Error(`iperf3: ${error ?? 'no result'}`)
  return { mbps: received.bits_per_second / 1e6, mbit: (received.bytes * 8) / 1e6 }
}

/** Sends for some seconds from the host of one site to that of another. */
export async function sendFlow(bed: Bed, from: SiteName, to: SiteName, seconds: number): Promise<Flow> {
  const server = bed.start(hostName(to), [IPERF, '--server', '--one-off', '--forceflush'], { output: 'pipe' })
  const output = watchOutput(`iperf3 of ${to}`, server)
  try {
    await output.until('Server listening', READY_MS)
    const argv = [IPERF, '--client', hostAddress(to), '--time', String(seconds), '--json']
    return parseFlow(await runAt(bed, hostName(from), argv))
  } finally {
    await output.stop()
  }
}
