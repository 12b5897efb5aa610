import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import { ALERT } from '#contract/monitor/alert.ts'
import { type TestAccount, accountStub, createAccount, later } from './support.ts'
import { stopClock } from './clock.ts'

// Deliveries and ended alerts are kept for 90 days in the hub's own storage.

const DAY = 86_400_000
let account: TestAccount
beforeEach(async () => {
  stopClock()
  account = await createAccount()
  await accountStub(account).refresh()
})

const inHub = <T>(work: (sql: SqlStorage, storage: DurableObjectStorage) => T) =>
  runInDurableObject(accountStub(account), (_, { storage }) => work(storage.sql, storage))

/** Deliveries that are done and as many ended alerts, each with a member that it has folded. */
const addRecords = (from: number, count: number, at: number, state = 'sent') =>
  inHub((sql) => {
    for (let i = from; i < from + count; i++) {
      const id = `${String(i).padStart(6, '0')}`
      const row = [id, 'mail', 'mail', state, at + 365 * DAY, at, id, '[]', '{}'] as const
      sql.exec('INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...row)
      const endedAt = state === 'pending' ? null : at
      sql.exec(`INSERT INTO alerts VALUES (?, 'router_offline', ?, ?, 0, '', '[]', '{}')`, id, at, endedAt)
      sql.exec(`INSERT INTO alert_children VALUES (?, 'NL1', ?, '[]', '{}')`, id, at)
    }
  })
const counts = () =>
  inHub((sql) =>
    ['deliveries', 'alerts', 'alert_children'].map(
      (table) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
    ),
  )
const alarm = () => runDurableObjectAlarm(accountStub(account))

it('records are kept for 90 days, and what is not over stays', async () => {
  const start = Date.now()
  await addRecords(0, 3, start)
  await addRecords(10, 2, start, 'pending')
  await addRecords(20, 4, start + 2 * DAY)
  await inHub((_, storage) => storage.setAlarm(start + 1))
  later(89 * DAY)
  await alarm()
  expect(await counts()).toEqual([9, 9, 9])
  later(2 * DAY)
  await alarm()
  expect((await counts())[0]).toBe(6)
  expect((await counts())[1]).toBe(6)
  await alarm() // twice
  expect((await counts())[1]).toBe(6)
})

it('a backlog goes in portions, alarm after alarm, also where one was cut off', async () => {
  const old = Date.now() - (ALERT.keptDays + 2) * DAY
  await addRecords(0, 2_500, old)
  await inHub((_, storage) => storage.setAlarm(Date.now() + 1))
  const left: number[] = []
  for (let run = 0; run < 4; run++) {
    later(1)
    await alarm()
    left.push((await counts())[0]!)
  }
  expect(left).toEqual([1_500, 500, 0, 0])
  expect(await counts()).toEqual([0, 0, 0])
})

it('a hub that nothing else wakes sets its alarm for them', async () => {
  const start = Date.now()
  await addRecords(0, 1, start)
  const due = await runInDurableObject(accountStub(account), (hub) => hub['monitor'].dueAt(start))
  expect(due).toBe(start + (ALERT.keptDays + 1) * DAY)
})
