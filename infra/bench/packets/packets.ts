import { messageOfError } from '#infra/agent/log.ts'
import { RUN_VARIABLE } from '#infra/lab/bed/bed.ts'
import { compareMachineStates, readMachineState } from '#infra/lab/bed/machine-state.ts'
import { processesWith } from '#infra/lab/bed/namespaces.ts'
import { type Lab, createRunFolder, removeLab, runName } from '#infra/lab/lab.ts'
import { findLack } from '#infra/lab/requirements.ts'
import { type Finding, print } from '../report.ts'
import { openBenchLab } from './bench-lab.ts'
import { benchColdStart } from './cold-start.ts'
import { benchFailover } from './failover.ts'
import { benchFootprint } from './footprint.ts'
import { benchIdle } from './idle/idle-frames.ts'
import { installIperf } from './iperf.ts'
import { benchPrefix, installFrrReload } from './prefix-row.ts'
import { type Rounds, rounds } from './rounds.ts'
import { benchSave } from './save-to-tunnel.ts'
import { benchThroughput } from './throughput.ts'

/*
 * Bench of packets: real routers of the lab against the same tools by hand, in the same run. PACKETS=prefix,failover chooses
 * some of its scenarios.
 */

const SCENARIOS: Readonly<Record<string, (lab: Lab, rounds: Rounds) => Promise<readonly Finding[]>>> = {
  throughput: benchThroughput,
  save: benchSave,
  prefix: benchPrefix,
  failover: benchFailover,
  'cold-start': benchColdStart,
  idle: benchIdle,
  footprint: benchFootprint,
}
const CHOSEN = (process.env['PACKETS'] ?? '').split(',').filter(Boolean)

/** Measures on a lab of its own, which is removed at the end. Where none can stand, one line says why. */
export async function benchPackets(): Promise<readonly Finding[]> {
  const lack = await findLackOfBench()
  if (lack !== null) {
    process.stdout.write(`packets: skipped, ${lack}\n`)
    return []
  }
  const before = await readMachineState()
  const folder = createRunFolder()
  const stop = () => void removeLab(folder).finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const findings: Finding[] = []
  try {
    const lab = await openBenchLab(folder, log)
    for (const [name, bench] of Object.entries(SCENARIOS))
      if (CHOSEN.length === 0 || CHOSEN.includes(name)) findings.push(...(await runScenario(name, lab, bench)))
  } finally {
    await removeLab(folder)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
  const alive = processesWith(RUN_VARIABLE, (value) => value === runName(folder)).map((pid) => `processes: + ${pid}`)
  const left = [...compareMachineStates(before, await readMachineState()), ...alive]
  if (left.length > 0) log(`the machine outside is not as it was:\n${left.join('\n')}`)
  const kept: Finding = { what: 'differences of the machine outside', value: left.length, unit: '', budget: 0 }
  return print('Packets of four routers', [...findings, { ...kept, must: 'always be' }])
}

const log = (line: string): void => void process.stdout.write(`  ${line}\n`)

async function findLackOfBench(): Promise<string | null> {
  const lack = await findLack()
  if (lack !== null) return lack
  if (!(await installIperf())) return 'no iperf3'
  return (await installFrrReload()) ? null : 'no frr-reload.py'
}

/** Findings of a scenario; of one that fails, that it did, so that the others run. */
async function runScenario(name: string, lab: Lab, bench: (typeof SCENARIOS)[string]): Promise<readonly Finding[]> {
  const begun = performance.now()
  try {
    return await bench(lab, rounds)
  } catch (error) {
    log(`${name}: ${messageOfError(error)}`)
    return [{ what: `${name}: failed`, value: 1, unit: '', budget: 0, must: 'always be' }]
  } finally {
    log(`${name} in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
}
