import { parseArgs } from 'node:util'
import { benchBundles } from './bundles.ts'
import { benchCost } from './cost/cost.ts'
import { benchCrash } from './crash/crash.ts'
import { benchDirectory } from './directory/directory.ts'
import { benchFanOut } from './fan-out.ts'
import { benchFlood } from './flood/flood.ts'
import { benchHashing } from './hashing.ts'
import { benchList } from './list-call.ts'
import { benchLists } from './list-scrolling.ts'
import { benchMembers } from './member-imports.ts'
import { benchOutages } from './outages/outages.ts'
import { benchPackets } from './packets/packets.ts'
import { type Finding, judge } from './report.ts'
import { type Stack, startStack } from './stack.ts'
import { benchStalled } from './stalled.ts'
import { benchStorm } from './storm/storm.ts'
import { benchTopology } from './topology.ts'

/**
 * `npm run bench [-- names]`: measures the budgets of the design, each with its peer in the same run. Loopback only.
 * `npm run bench -- outages --table <file>` writes what the pages said into a file.
 */
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { table: { type: 'string' } },
})
const ON_THE_PRODUCT: Readonly<Record<string, (stack: Stack) => Promise<readonly Finding[]>>> = {
  list: benchList,
  hashing: benchHashing,
  'fan-out': benchFanOut,
  stalled: benchStalled,
  bundles: benchBundles,
  topology: benchTopology,
  lists: benchLists,
  members: benchMembers,
}
/** Benches that start their own stack. */
const ALONE: Readonly<Record<string, () => Promise<readonly Finding[]>>> = {
  cost: benchCost,
  directory: benchDirectory,
  storm: benchStorm,
}
/** Benches that run only when they are named: some minutes, up to 20. */
const BY_NAME: typeof ALONE = {
  crash: benchCrash,
  flood: benchFlood,
  outages: () => benchOutages(options.table ?? null),
  packets: benchPackets,
}

const names = Object.keys({ ...ON_THE_PRODUCT, ...ALONE, ...BY_NAME })
const unknown = wanted.find((name) => !names.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`No part "${unknown}". Parts: ${names.join(', ')}.\n`)
  process.exit(1)
}
const choose = <T>(parts: Readonly<Record<string, T>>) =>
  Object.entries(parts).filter(([name]) => wanted.length === 0 || wanted.includes(name))

const findings: Finding[] = []
const failed: string[] = []

/** Runs one part; a failure does not keep the others from running. */
async function runPart(name: string, bench: () => Promise<readonly Finding[]>, faults = () => ''): Promise<void> {
  try {
    findings.push(...(await bench()))
  } catch (error) {
    failed.push(name)
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n${faults()}\n`)
  }
}

const onTheProduct = choose(ON_THE_PRODUCT)
if (onTheProduct.length > 0) {
  const stack = await startStack()
  try {
    for (const [name, bench] of onTheProduct) await runPart(name, () => bench(stack), stack.faults)
  } finally {
    await stack.stop()
  }
}
for (const [name, bench] of choose(ALONE)) await runPart(name, bench)
if (wanted.length > 0) for (const [name, bench] of choose(BY_NAME)) await runPart(name, bench)

const count = (verdict: ReturnType<typeof judge>) => findings.filter((finding) => judge(finding) === verdict).length
const summary = [`${count('met')} budgets met, ${count('missed')} missed`]
if (count('unclear') > 0) summary.push(`${count('unclear')} neither`)
if (failed.length > 0) summary.push(`failed: ${failed.join(', ')}`)
process.stdout.write(`\n${summary.join(', ')}\n`)
process.exit(count('missed') + failed.length > 0 ? 1 : 0)
