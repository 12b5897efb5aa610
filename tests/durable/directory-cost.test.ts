import { runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { breakDatabase } from '#tests/support/directory-database.ts'
import { createImported, createTestDirectory, entries, runNow } from '#tests/support/directory.ts'

const UNCHANGED_ROWS_MAX = 5
const IMPORT = { users: 20_000, tripsMax: 10 } as const

it('a run without a change writes at most 5 rows, the alarm and indexes included', async () => {
  const test = await createImported(1_200)
  await runNow(test)
  const { sum } = await breakDatabase(test)
  let own = 0
  await runInDurableObject(test.stub, (hub, { storage }) => {
    const state = storage.kv.get<object>('state')
    storage.kv.put('state', { ...state, dueAt: Date.now() - 1 }) // as the alarm finds it an hour later
    const { kv, sql: exec } = (hub as unknown as { storage: { storage: { kv: SyncKvStorage; sql: SqlStorage } } })
      .storage.storage
    const put = kv.put.bind(kv)
    const run = exec.exec.bind(exec)
    vi.spyOn(kv, 'put').mockImplementation((key, value) => {
      own++
      put(key, value)
    })
    vi.spyOn(exec, 'exec').mockImplementation((text, ...values) => {
      if (!/^\s*select/i.test(text)) own++
      return run(text, ...values) as never
    })
  })
  await test.run()
  expect(await test.stub.state()).toMatchObject({ run: { state: 'done', counts: { added: 0, changed: 0 } } })
  const alarm = 1
  expect({ own, d1: sum.rowsWritten }).toEqual({ own: 2, d1: expect.any(Number) })
  expect(own + sum.rowsWritten + alarm).toBeLessThanOrEqual(UNCHANGED_ROWS_MAX)
})

it('the first import of 20,000 takes at most 10 trips', async () => {
  const test = await createTestDirectory(entries(IMPORT.users), { quota: IMPORT.users, syncMode: 2 })
  const { trips } = await breakDatabase(test)
  await test.stub.start()
  const begun = trips.length
  await test.run()
  expect(trips.length - begun).toBeLessThanOrEqual(IMPORT.tripsMax)
  expect(await test.stub.state()).toMatchObject({ count: IMPORT.users, run: { state: 'done' } })
})
