import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '#infra/local/processes.ts'

/* Network namespaces of the machine by name: their processes, and their removal. */

const FOLDER = '/run/netns'
const POLL_MS = 20
const ENDS_MS = 5_000

export const listNamespaces = (prefix: string): string[] => {
  try {
    return readdirSync(FOLDER).filter((name) => name.startsWith(prefix))
  } catch {
    return [] // none was ever made
  }
}

const listPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Processes of these namespaces; one look at each process of the machine. */
export function processesIn(names: readonly string[]): number[] {
  const inodes = new Set(names.flatMap((name) => inodeOf(name) ?? []))
  return listPids().filter((pid) => inodes.has(namespaceOf(pid)))
}

function inodeOf(name: string): number | null {
  try {
    return statSync(`${FOLDER}/${name}`).ino
  } catch {
    return null
  }
}

/** Instead of a namespace, for a process that has ended. */
const ENDED = 0

function namespaceOf(pid: number): number {
  try {
    return Number(/\d+/.exec(readlinkSync(`/proc/${pid}/ns/net`))?.[0] ?? ENDED)
  } catch {
    return ENDED
  }
}

/** Name of a process's program, at most 15 characters; empty once it has ended. */
export function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Command line of a process, whose words end with a zero byte; empty once it has ended. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Command lines of processes outside the network namespace of this process, by their number. */
export function commandLinesOutside(): ReadonlyMap<number, string> {
  const own = namespaceOf(process.pid)
  const inside = listPids().filter((pid) => ![own, ENDED].includes(namespaceOf(pid)))
  return new Map(inside.map((pid) => [pid, commandLineOf(pid)]))
}

/** Processes whose environment at their start has the variable with a value. */
export function processesWith(variable: string, isValue: (value: string) => boolean): number[] {
  return listPids().filter((pid) => {
    const value = variableOf(pid, variable)
    return value !== null && isValue(value) && pid !== process.pid
  })
}

export function variableOf(pid: number, variable: string): string | null {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return entries.find((entry) => entry.startsWith(`${variable}=`))?.slice(variable.length + 1) ?? null
  } catch {
    return null // it has ended
  }
}

/** Kills processes until none is left; throws for one that stays. */
export async function killAll(list: () => readonly number[]): Promise<void> {
  const isZombie = (pid: number) => {
    try {
      return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return true
    }
  }
  for (const until = Date.now() + ENDS_MS; ; await sleep(POLL_MS)) {
    const alive = list().filter((pid) => !isZombie(pid))
    if (alive.length === 0) return
    if (Date.now() > until) throw new Error(`processes do not end: ${alive.join(', ')}`)
    for (const pid of alive) kill(pid)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}

export async function removeNamespaces(names: readonly string[]): Promise<void> {
  await killAll(() => processesIn(names))
  const present = new Set(listNamespaces(''))
  await Promise.all(
    names
      .filter((name) => present.has(name))
      .map(async (name) => {
        const { code, output } = await run('ip', ['netns', 'delete', name])
        if (code !== 0) throw new Error(output)
      }),
  )
}
