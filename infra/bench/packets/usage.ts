import { readFileSync } from 'node:fs'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { cpuSeconds } from '../stack.ts'

/* Memory and processor time of the processes of routers. Work of the kernel in softirq belongs to none of them. */

/** Proportional set size in MiB, of the text of /proc/<pid>/smaps_rollup: shared pages count by their users. Pure. */
export function parsePss(rollup: string): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]
  if (kilobytes === undefined) throw new Error('no Pss in smaps_rollup')
  return Number(kilobytes) / 1024
}

export const pssMiB = (pid: number): number => parsePss(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))

/** Resident memory of a process in MiB, of the text of /proc/<pid>/status, without its children. Pure. */
export function parseRss(status: string): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error('no VmRSS in status')
  return Number(kilobytes) / 1024
}

export const rssMiB = (pid: number): number => parseRss(readFileSync(`/proc/${pid}/status`, 'utf8'))

/** Processor seconds that all processes of some hosts have used; those that end are lost. */
export const cpuSecondsAt = (bed: Bed, hosts: readonly string[]): number =>
  hosts.flatMap((host) => [...bed.processes(host).keys()]).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)

function cpuSecondsOf(pid: number): number {
  try {
    return cpuSeconds(pid)
  } catch {
    return 0 // it has ended
  }
}
