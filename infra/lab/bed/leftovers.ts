import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { RUN_VARIABLE } from './bed.ts'
import {
  commandLinesOutside,
  killAll,
  listNamespaces,
  processesWith,
  removeNamespaces,
  variableOf,
} from './namespaces.ts'

/* Leftovers of runs that were killed: processes, namespaces and folders by the name of their run, and nothing else. */

/** Start of every run's name, which its folder has and its namespaces begin with. */
export const RUN_NAME = 'netloom-lab-'
const OWNER_FILE = 'owner.json'
const FOLDERS = ['/dev/shm', tmpdir()]
const RUN_PATTERN = new RegExp(`^${RUN_NAME}[A-Za-z0-9]{6}`)
/** Path of a file of a run in a command line. */
const RUN_PATH = new RegExp(`/(${RUN_NAME}[A-Za-z0-9]{6})/`)

interface Owner {
  readonly pid: number
  readonly startTime: string
}

/** Field 22 of the process's line, counted behind its name, which may hold anything. */
function startTimeOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null
  } catch {
    return null
  }
}

export function writeOwner(folder: string): void {
  const owner: Owner = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' }
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(owner))
}

function isOwned(folder: string): boolean {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as Owner
    return startTimeOf(pid) === startTime
  } catch {
    return false
  }
}

/** Names of runs of which something is left and whose own process has ended. */
export function listLeftRuns(): readonly string[] {
  const folders = listFolders()
  const owned = new Set(folders.filter(isOwned).map((folder) => basename(folder)))
  const marked = processesWith(RUN_VARIABLE, () => true).flatMap((pid) => variableOf(pid, RUN_VARIABLE) ?? [])
  const served = [...commandLinesOutside().values()].flatMap((line) => RUN_PATH.exec(line)?.[1] ?? [])
  const named = [...folders.map((folder) => basename(folder)), ...listNamespaces(RUN_NAME), ...marked, ...served]
  const runs = named.flatMap((name) => RUN_PATTERN.exec(name)?.[0] ?? [])
  return [...new Set(runs)].filter((name) => !owned.has(name)).toSorted()
}

const listFolders = (): string[] =>
  [...new Set(FOLDERS)].flatMap((parent) =>
    existsSync(parent)
      ? readdirSync(parent)
          .filter((name) => RUN_PATTERN.exec(name)?.[0] === name)
          .map((name) => join(parent, name))
      : [],
  )

/** Processes that serve files of a run: those of a node's networks are in namespaces without a name. */
const processesServing = (name: string): readonly number[] =>
  [...commandLinesOutside()].flatMap(([pid, line]) => (RUN_PATH.exec(line)?.[1] === name ? [pid] : []))

/** Removes all that is left of a run. */
export async function removeRun(name: string): Promise<void> {
  await killAll(() => processesWith(RUN_VARIABLE, (value) => value === name))
  await removeNamespaces(listNamespaces(`${name}-`))
  await killAll(() => processesServing(name))
  for (const folder of listFolders()) if (basename(folder) === name) rmSync(folder, { recursive: true, force: true })
}
