import { readFile, readdir } from 'node:fs/promises'

/* Processes of the machine by /proc. */

/** Identity of a live process: a number alone is reused. */
export interface ProcessIdentity {
  readonly pid: number
  /** Field 22 of /proc/pid/stat, in clock ticks since boot. */
  readonly startTime: number
}

/** Start time of a live process; null for one that has ended, a zombie among them. */
export async function readStartTime(pid: number): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // from field 3; field 2 may hold blanks
    const isOver = fields[0] === 'Z' || fields[0] === 'X'
    return isOver ? null : Number(fields[19])
  } catch {
    return null
  }
}

export const isAlive = async ({ pid, startTime }: ProcessIdentity): Promise<boolean> =>
  (await readStartTime(pid)) === startTime

/** The live process with exactly this command line; null if there is none. */
export async function findByCommand(argv: readonly string[]): Promise<ProcessIdentity | null> {
  const command = `${argv.join('\0')}\0`
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const found = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const startTime = found === command ? await readStartTime(Number(name)) : null
    if (startTime !== null) return { pid: Number(name), startTime }
  }
  return null
}

export const readBootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()
