import { benchBundles } from './bundles.ts'
import { benchCharts } from './charts.ts'
import { benchCompile } from './compile.ts'
import { benchCost } from './cost/cost.ts'
import { benchCrash } from './crash/crash.ts'
import { benchDirectory } from './directory/directory.ts'
import { benchFanOut } from './fan-out.ts'
import { benchHandbook } from './handbook.ts'
import { benchHashing } from './hashing.ts'
import { benchHostile } from './hostile.ts'
import { benchList } from './list.ts'
import { type Finding, isMet } from './report.ts'
import { benchRoleSockets } from './role-sockets.ts'
import { benchSaas } from './saas.ts'
import { benchSameTime } from './same-time.ts'
import { benchLists } from './lists.ts'
import { benchLogs } from './logs/logs.ts'
import { benchMembers } from './members.ts'
import { benchStalled } from './stalled.ts'
import { benchStorm } from './storm.ts'
import { startStack } from './stack.ts'
import { benchTopology } from './topology.ts'

/** `npm run bench [-- list hashing hostile fan-out stalled bundles topology charts lists members storm same-time handbook role-sockets compile cost logs saas directory]`: ratios within one run, each with its budget. Loopback only. `crash` runs only when it is named: it takes about a quarter of an hour. */
const ON_THE_PRODUCT = {
  list: benchList,
  hashing: benchHashing,
  hostile: benchHostile,
  'fan-out': benchFanOut,
  stalled: benchStalled,
  bundles: benchBundles,
  topology: benchTopology,
  charts: benchCharts,
  lists: benchLists,
  members: benchMembers,
  storm: benchStorm,
  'same-time': benchSameTime,
  handbook: benchHandbook,
  'role-sockets': benchRoleSockets,
} as const

const BY_THEMSELVES = {
  compile: benchCompile,
  cost: benchCost,
  logs: benchLogs,
  saas: benchSaas,
  directory: benchDirectory,
} as const

const wanted = process.argv.slice(2)
const names = [...Object.keys(ON_THE_PRODUCT), ...Object.keys(BY_THEMSELVES), 'crash']
const unknown = wanted.find((name) => !names.includes(name))
if (unknown) {
  process.stderr.write(`No part "${unknown}". Parts: ${names.join(', ')}.\n`)
  process.exit(1)
}

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
const findings: Finding[] = []
const failed: string[] = []

/** A part that fails does not keep the others from running. */
async function runPart(name: string, bench: () => Promise<readonly Finding[]> | readonly Finding[], faults = () => '') {
  try {
    findings.push(...(await bench()))
  } catch (error) {
    failed.push(name)
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n${faults()}\n`)
  }
}

const onTheProduct = Object.entries(ON_THE_PRODUCT).filter(([name]) => isWanted(name))
if (onTheProduct.length > 0) {
  const stack = await startStack()
  try {
    for (const [name, bench] of onTheProduct) await runPart(name, () => bench(stack), stack.faults)
  } finally {
    await stack.stop()
  }
}
for (const [name, bench] of Object.entries(BY_THEMSELVES)) if (isWanted(name)) await runPart(name, bench)
if (wanted.includes('crash')) await runPart('crash', benchCrash)

const missed = findings.filter((finding) => !isMet(finding))
const met = findings.filter(({ budget }) => budget !== undefined).length - missed.length
const failures = failed.length === 0 ? '' : `, failed: ${failed.join(', ')}`
process.stdout.write(`\n${met} budgets met, ${missed.length} missed${failures}\n`)
process.exit(missed.length + failed.length > 0 ? 1 : 0)
