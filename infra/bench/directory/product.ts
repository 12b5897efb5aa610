import type { Slapd } from '#tests/support/directory/slapd.ts'
import { freePort } from '#infra/local/runtime.ts'
import type { Finding } from '../report.ts'
import { startStack } from '../stack.ts'
import { type Company, OTHER, createCompany } from './company.ts'
import { type Line, openLine } from './line.ts'
import { METER, type RunCost } from './run-cost.ts'
import { HEAP_FLAGS, benchHeap } from './heap.ts'
import { benchRuns } from './runs.ts'

const ENTRY = 'infra/bench/directory/measured/product.ts'
const INSPECTOR_PORT = 9_260
/** Of the line between agent and service; 60 ms both ways. */
const DELAY_MS = 30

export interface Metered {
  readonly company: Company
  readonly line: Line
  readonly users: number
  /** The hourly run, now. */
  run(): Promise<RunCost>
  /** The newest run that has ended. */
  lastRun(): Promise<RunCost>
  /** A bare INSERT of as many members, in ms. */
  insertBare(): Promise<number>
}

/** The product on workerd, whose heap ends at the budget: a DirectoryHub reads over LDAPS and the tunnel of a real agent. */
export async function benchProduct(slapd: Slapd, ca: string, users: number): Promise<readonly Finding[]> {
  const inspector = await freePort(INSPECTOR_PORT)
  const stack = await startStack([
    'infra/bench/serve.ts',
    ENTRY,
    `--inspector=${inspector}`,
    `--v8-flags=${HEAP_FLAGS}`,
  ])
  const line = await openLine(Number(new URL(stack.origin).port), DELAY_MS)
  try {
    const directory = { ldapsPort: slapd.ldapsPort, ca, users }
    const company = await createCompany(stack, `http://127.0.0.1:${line.port}`, directory)
    const ask = async <T>(path: string): Promise<T> => {
      const response = await fetch(`${stack.origin}${path}`, { method: 'POST' })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      return (await response.json()) as T
    }
    const metered: Metered = {
      company,
      line,
      users,
      run: async () => {
        const cost = await ask<RunCost>(METER.run)
        const { fault } = await company.outcome()
        if (fault) throw new Error(`a run failed: ${fault}`)
        return cost
      },
      lastRun: () => ask(METER.last),
      insertBare: () => ask(`${METER.bare}?account=${OTHER.username}`),
    }
    const findings = [...(await benchRuns(metered)), ...(await benchHeap(metered, inspector))]
    await company.close()
    return findings
  } finally {
    line.close()
    await stack.stop()
  }
}
