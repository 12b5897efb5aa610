import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '#infra/local/processes.ts'

/* State of the machine outside the bed, as lines by topic, which a run compares before and after. */

export type MachineState = Readonly<Record<string, readonly string[]>>

/** Values of the kernel that change by themselves. */
const COUNTS = /nf_conntrack_count$|\/route\/flush$|\/nf_log\//
/** Namespaces and log buffers of FRR carry the name or process of their run: those of others come and go. */
const OF_RUNS = /^\/(run\/netns|var\/tmp\/frr)\//
/** Folders that ip, FRR and mount make at their first use on a machine, and keep. */
const OF_TOOLS: ReadonlySet<string> = new Set(['/run/netns', '/var/tmp/frr', '/run/mount'])
/** Files whose content counts, and folders in which only names do, because services write there all the time. */
const CONTENT_FOLDERS = ['/etc']
const NAME_FOLDERS = ['/run', '/var/lib', '/var/tmp']
const CHANGING = ['valid_life_time', 'preferred_life_time', 'stats64', 'used', 'expires']

export async function readMachineState(): Promise<MachineState> {
  const network = {
    addresses: await readList('ip', ['-j', 'addr']),
    routes: [
      ...(await readList('ip', ['-j', 'route', 'show', 'table', 'all'])),
      ...(await readList('ip', ['-j', '-6', 'route', 'show', 'table', 'all'])),
    ],
    rules: [...(await readList('ip', ['-j', 'rule'])), ...(await readList('ip', ['-j', '-6', 'rule']))],
    'packet filter': (await run('nft', ['-s', 'list', 'ruleset'])).output.split('\n').filter(Boolean),
  }
  return {
    ...network,
    sysctls: walk('/proc/sys/net').flatMap((file) => (COUNTS.test(file) ? [] : [`${file} = ${readValue(file)}`])),
    files: [...CONTENT_FOLDERS.flatMap(walk).map(describeFile), ...NAME_FOLDERS.flatMap(walk).filter(isCompared)],
  }
}

/** True for a file that a run has to leave as it was. Pure. */
export const isCompared = (file: string): boolean => !OF_RUNS.test(file) && !OF_TOOLS.has(file)

/** Lines that came and went, with their topic. Pure. */
export function compareMachineStates(before: MachineState, after: MachineState): readonly string[] {
  return Object.keys({ ...before, ...after }).flatMap((topic) => {
    const [earlier, later] = [new Set(before[topic]), new Set(after[topic])]
    return [
      ...[...earlier].filter((line) => !later.has(line)).map((line) => `${topic}: - ${line}`),
      ...[...later].filter((line) => !earlier.has(line)).map((line) => `${topic}: + ${line}`),
    ]
  })
}

/** Objects of a command's JSON, a line each, without what changes by itself. */
async function readList(command: string, args: readonly string[]): Promise<string[]> {
  const { code, output } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}`)
  const stable = (key: string, value: unknown) => (CHANGING.includes(key) ? undefined : value)
  return (JSON.parse(output || '[]') as object[]).map((entry) => JSON.stringify(entry, stable))
}

function walk(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? [path, ...walk(path)] : [path]
    })
  } catch {
    return [] // it is gone meanwhile, or may not be read
  }
}

function readValue(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return '' // a folder, or for writing only
  }
}

function describeFile(file: string): string {
  try {
    const { size, mtimeMs, mode } = statSync(file)
    return `${file} ${mode.toString(8)} ${size} ${Math.round(mtimeMs)}`
  } catch {
    return file // a link that leads nowhere
  }
}
