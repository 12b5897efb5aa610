import { readFileSync, readdirSync } from 'node:fs'

/** Resident memory of a process and all that it started, in MiB; 0 where /proc does not exist. */
export function memoryMiB(pid: number): number {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    return Math.round(own + children.reduce((sum, child) => sum + memoryMiB(child), 0))
  } catch {
    return 0
  }
}
