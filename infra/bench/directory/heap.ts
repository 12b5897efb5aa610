import type { Finding } from '../report.ts'
import { openInspector } from './inspector.ts'
import type { Metered } from './product.ts'

const RUNS = 10
const BUDGET_MIB = 64
/** Two semi-spaces and the old space: together no more than the budget. workerd ends where they are full. */
export const HEAP_FLAGS = '--max-semi-space-size=8 --max-old-space-size=48'

/** The heap of the isolate, in which all hubs and the Worker are, over many runs in a row. */
export async function benchHeap({ company, run, users }: Metered, inspectorPort: number): Promise<readonly Finding[]> {
  const { members } = await company.outcome()
  const inspector = await openInspector(new URL(`http://127.0.0.1:${inspectorPort}`), 'netloom')
  try {
    const before = await inspector.peakHeapMiB(async () => {})
    const unchanged = await inspector.peakHeapMiB(async () => {
      for (let index = 0; index < RUNS; index++) await run()
    })
    await company.undo()
    const importing = await inspector.peakHeapMiB(run)
    const again = (await company.outcome()).members
    if (again !== members) throw new Error(`${again} members after an undo and an import of ${members}`)
    return [
      {
        what: `largest heap, ${RUNS} runs over ${users} in a row`,
        value: unchanged,
        unit: 'MiB',
        budget: BUDGET_MIB,
        must: 'stay below',
        note: `objects and buffers; ${before.toFixed(0)} before`,
      },
      {
        what: `the same, a run that imports ${members}`,
        value: importing,
        unit: 'MiB',
        budget: BUDGET_MIB,
        must: 'stay below',
        note: `after an undo; all of it on a heap that ends at ${BUDGET_MIB} MiB`,
      },
    ]
  } finally {
    inspector.close()
  }
}
