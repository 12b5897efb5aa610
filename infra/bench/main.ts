import { benchBundles } from './bundles.ts'
import { benchFanOut } from './fan-out.ts'
import { benchList } from './list.ts'
import { type Finding, isMet } from './report.ts'
import { benchStorm } from './storm.ts'
import { startStack } from './stack.ts'
import { benchTopology } from './topology.ts'
import { benchTrips } from './trips.ts'

/** `npm run bench [-- trips list fan-out bundles topology storm]`: ratios within one run, each with its budget. Loopback only. */
const PARTS = {
  trips: benchTrips,
  list: benchList,
  'fan-out': benchFanOut,
  bundles: benchBundles,
  topology: benchTopology,
  storm: benchStorm,
} as const

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in PARTS))
if (unknown) {
  process.stderr.write(`No part "${unknown}". Parts: ${Object.keys(PARTS).join(', ')}.\n`)
  process.exit(1)
}

const stack = await startStack()
const findings: Finding[] = []
try {
  for (const [name, bench] of Object.entries(PARTS)) {
    if (wanted.length === 0 || wanted.includes(name)) findings.push(...(await bench(stack)))
  }
} finally {
  await stack.stop()
}
const missed = findings.filter((finding) => !isMet(finding))
process.stdout.write(
  `\n${findings.filter(({ budget }) => budget !== undefined).length - missed.length} budgets met, ${missed.length} missed\n`,
)
process.exit(missed.length > 0 ? 1 : 0)
