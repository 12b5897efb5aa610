import { expect, it } from 'vitest'
import { isNodeState, stateProblem } from '#infra/agent/drivers/linux/pop/node-state.ts'
import { memoryStore } from '#infra/agent/store.ts'

it('a state folder is that of a node or of another device as long as something of it runs', async () => {
  const row = [{ network_number: 'N1', slot: 1 }]
  const problems = async (records: Readonly<Record<string, unknown>>) => {
    const store = memoryStore(records)
    return [await isNodeState(store), await stateProblem(store, true), await stateProblem(store, false)]
  }
  expect(await problems({})).toEqual([false, null, null])
  expect(await problems({ slots: [], networks: [] })).toEqual([false, null, null])
  expect(await problems({ slots: row })).toEqual([false, expect.stringContaining('by `down` first'), null])
  expect(await problems({ networks: row })).toEqual([true, null, expect.stringContaining('use --pop')])
})
