import { createHash } from 'node:crypto'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { type Runner, runProgram, toLog } from '../programs.ts'
import { type Inside, ON_DEVICE, type Rendering, type Step, type Tool } from '../tool.ts'

/* Tool nftables: tables of this driver, each replaced as a whole. Other tables of the device are not read or changed. */

const NAMES = ['netloom', 'netloom_bandwidth'] as const
type TableName = (typeof NAMES)[number]

/** Rendered file of a table. */
const fileOf = (name: TableName, suffix: string): string =>
  name === 'netloom' ? `nft/netloom${suffix}.nft` : 'nft/bandwidth.nft'

/** A table by the hash of its text, which it carries as its comment, and its number of rules. */
interface TableState {
  readonly hash: string
  readonly rules: number
}

export interface NftWanted {
  readonly tables: ReadonlyMap<TableName, TableState & { readonly text: string }>
}

export interface NftObserved {
  readonly tables: ReadonlyMap<TableName, TableState>
}

export interface NftStep extends Step {
  readonly table: TableName
  /** Batch that replaces or deletes the table. */
  readonly text: string
}

const clear = (table: TableName): string => `table inet ${table} {}\ndelete table inet ${table}\n`

/** Body of the table in a rendered file; null if the file only deletes it. */
function toTable(file: string | undefined, name: TableName): (TableState & { readonly text: string }) | null {
  const head = `\ntable inet ${name} {\n`
  const start = file?.indexOf(head) ?? -1
  if (file === undefined || start < 0) return null
  const body = file.slice(start + head.length)
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32)
  const rules = body.split('\n').filter((line) => /^ {4}(?!type )\S/.test(line)).length
  return { hash, rules, text: `${clear(name)}table inet ${name} {\n  comment "${hash}"\n${body}` }
}

function toWanted(rendering: Rendering | null, suffix: string): NftWanted {
  const tables = NAMES.flatMap((name) => {
    const table = toTable(rendering?.files.get(fileOf(name, suffix)), name)
    return table === null ? [] : [[name, table] as const]
  })
  return { tables: new Map(tables) }
}

/** A table that goes is deleted last: until then it guards what is left of the tunnels. */
function planNft(observed: NftObserved, wanted: NftWanted): readonly NftStep[] {
  return NAMES.flatMap((table): NftStep[] => {
    const [before, after] = [observed.tables.get(table), wanted.tables.get(table)]
    if (before?.hash === after?.hash && before?.rules === after?.rules) return []
    const step = { table, networks: [], reconnects: [] }
    return [after ? { ...step, phase: 'filter', text: after.text } : { ...step, phase: 'rates', text: clear(table) }]
  })
}

/** State of a table in the form of `nft list table`; a table that was not made here has an empty hash. */
function parseTable(listing: string): TableState {
  const [, hash = ''] = /^\tcomment "([0-9a-f]{32})"$/m.exec(listing) ?? []
  return { hash, rules: listing.split('\n').filter((line) => /^\t\t(?!type )\S/.test(line)).length }
}

async function readTable(runner: Runner, name: TableName): Promise<TableState | null> {
  const { code, stdout, stderr } = await runner.run('nft', ['-s', 'list', 'table', 'inet', name])
  if (code === 0) return parseTable(stdout)
  if (stderr.includes('No such file or directory')) return null
  throw new Error(`nft list table: ${stderr.trim() || `exit code ${code}`}`)
}

/** Tries the tables in the namespace of this process, where they change nothing. */
async function validate({ tables }: NftWanted): Promise<Failure | null> {
  for (const { text } of tables.values()) {
    const { code, stderr } = await runProgram('nft', ['-c', '-f', '-'], { input: text })
    if (code !== 0) return { ...checkFailure('本设备的防火墙不接受规则'), log: toLog(stderr) }
  }
  return null
}

export const nftTool = ({ runner, suffix }: Inside = ON_DEVICE): Tool<NftWanted, NftObserved, NftStep> => ({
  name: 'nft',
  wanted: (rendering) => toWanted(rendering, suffix),
  settled: ({ tables }) => ({ tables: new Map([...tables].map(([name, { hash, rules }]) => [name, { hash, rules }])) }),
  plan: planNft,
  validate,

  async observe() {
    const states = await Promise.all(NAMES.map(async (name) => [name, await readTable(runner, name)] as const))
    return { tables: new Map(states.flatMap(([name, state]) => (state === null ? [] : [[name, state] as const]))) }
  },

  async run({ text }) {
    await runner.output('nft', ['-f', '-'], text)
  },
})
