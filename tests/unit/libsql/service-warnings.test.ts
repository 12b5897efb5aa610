import { expect, it } from 'vitest'
import { warnOfServices } from '#jobs/service-warnings.ts'
import { NOW, createAccount, db, run } from '#tests/support/libsql.ts'

// The minute cron: twice, late or at the same time, it loses no warning and doubles none.

const DAY = 86_400_000
const END = NOW + 100 * DAY
const { id: accountId } = await createAccount(0)
await run('delete from services where account_id = ?', [accountId])

let count = 0
async function createService(expireAt = END) {
  const name = `服务${++count}`
  await run(
    `insert into services (account_id, kind, name, quantity, start_at, expire_at) values (?, 'bandwidth', ?, 1, ?, ?)`,
    [accountId, name, NOW - 365 * DAY, expireAt],
  )
  const titles = async () =>
    (await run(`select title from messages where title like ? order by id`, [`%“${name}”%`])).map((row) => row['title'])
  /** As service/set does. */
  const renew = (to: number) => run('update services set expire_at = ?, warn_at = 0 where name = ?', [to, name])
  return { name, titles, renew, ending: `服务“${name}”即将到期`, over: `服务“${name}”已到期` }
}

async function runAt(now: number) {
  const hubOutbox: { hub: string }[] = []
  await warnOfServices({ db, now, hubOutbox: hubOutbox as never })
  return hubOutbox.length
}

it('warns 30, 7 and 1 days before the end and at the end, once each, and the consoles count them', async () => {
  const { titles, ending, over } = await createService()
  const notified: number[] = []
  for (const days of [40, 30, 29, 7, 6, 1, 0, -1]) {
    notified.push(await runAt(END - days * DAY))
    expect(await runAt(END - days * DAY)).toBe(0)
  }
  expect(await titles()).toEqual([ending, ending, ending, over])
  expect(notified).toEqual([0, 1, 0, 1, 0, 1, 1, 0])
  expect(await run('select type, person, network_number from messages where title = ?', [over])).toEqual([
    expect.objectContaining({ type: '服务', person: '', network_number: '' }),
  ])
})

it('a late run sends only the last that it has missed', async () => {
  const { titles, over } = await createService()
  await runAt(END + 3 * DAY)
  expect(await titles()).toEqual([over])
})

it('runs at the same time send one', async () => {
  const { titles, ending } = await createService()
  await Promise.all([runAt(END - 7 * DAY), runAt(END - 7 * DAY), runAt(END - 7 * DAY)])
  expect(await titles()).toEqual([ending])
})

it('a renewal begins a term of its own; one that is cut back goes on with the former', async () => {
  const { titles, renew, ending, over } = await createService()
  await runAt(END - 30 * DAY)
  await renew(END + 365 * DAY)
  expect(await runAt(END - 7 * DAY)).toBe(0)
  await renew(END)
  await runAt(END - 6 * DAY)
  await renew(END + 365 * DAY)
  await renew(END)
  await runAt(END - 5 * DAY)
  expect(await titles()).toEqual([ending, ending]) // 30 and 7 days, once each
  await renew(END + 100 * DAY)
  await runAt(END + 80 * DAY)
  await runAt(END + 101 * DAY)
  expect(await titles()).toEqual([ending, ending, ending, over])
})

it('a warning stays sent after its message was removed', async () => {
  const { titles, renew, over, name } = await createService()
  await runAt(END)
  await run('delete from messages where title = ?', [over])
  await renew(END + DAY)
  await renew(END)
  await runAt(END + 200 * DAY)
  expect(await titles()).toEqual([])
  expect((await run('select warn_at from services where name = ?', [name]))[0]?.['warn_at']).toBeNull()
})

it('a service whose term moves while a run decides is left to the next run', async () => {
  const { titles, renew, name } = await createService()
  let trips = 0
  const racing = new Proxy(db, {
    get(target, key) {
      if (key === 'batch')
        return async (...given: Parameters<typeof db.batch>) => {
          if (trips++ === 0) await renew(END + 365 * DAY)
          return target.batch(...given)
        }
      return Reflect.get(target, key) as unknown
    },
  })
  await warnOfServices({ db: racing, now: END - 7 * DAY, hubOutbox: [] })
  expect(await titles()).toEqual([])
  expect((await run('select warn_at from services where name = ?', [name]))[0]?.['warn_at']).toBe(0)
  await renew(END)
  await runAt(END - 7 * DAY)
  expect(await titles()).toHaveLength(1)
})

it('more than one portion', async () => {
  const names = JSON.stringify(Array.from({ length: 250 }, (_, i) => `批量${i}`))
  await run(
    `insert into services (account_id, kind, name, quantity, start_at, expire_at)
     select ?, 'bandwidth', value, 1, ?, ? from json_each(?)`,
    [accountId, NOW - 365 * DAY, END, names],
  )
  await runAt(END)
  const [row] = await run(`select count(*) as n from messages where title like '服务“批量%'`)
  expect(row?.['n']).toBe(250)
})
