import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import { ramApi } from '#contract/ram/index.ts'
import { auditLogs, ramAccounts } from '#db/schema/accounts.ts'
import { createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'

type Line = Partial<typeof auditLogs.$inferInsert>

const DAY_MS = 86_400_000

async function createPerson() {
  const main = await createMainAccount()
  const sub = await createSubAccount(main)
  const born = Date.now() - 30 * DAY_MS
  await db.update(ramAccounts).set({ createdAt: born }).where(eq(ramAccounts.id, sub.ramId))
  const write = (message: string, over: Line = {}) =>
    db.insert(auditLogs).values({
      accountId: main.accountId,
      actorKind: 'ram',
      actorId: sub.ramId,
      actorName: sub.username,
      module: 'network',
      action: 'edit',
      target: 'x',
      message,
      ip: '',
      requestId: 'test',
      at: Date.now() - 1_000,
      ...over,
    })
  const read = async (over: object = {}) => {
    const { data, count, trips } = await main.call(ramApi.log, { ram_id: sub.ramId, ...over })
    return { messages: data.map(({ message }) => message), data, count, trips }
  }
  return { main, sub, born, write, read }
}

describe('directory 7 · ram/log', () => {
  it('answers module, action, message and time of the person, newest first, in one trip', async () => {
    const { main, write, read } = await createPerson()
    await write('早', { at: Date.now() - 2 * DAY_MS })
    await write('晚', { module: 'router', action: 'delete' })
    await write('主账号做的', { actorKind: 'main', actorId: main.accountId })
    await write('另一子账号', { actorId: 5 })
    await write('别人家', { accountId: main.accountId + 1 })
    const { messages, data, count, trips } = await read()
    expect(messages).toEqual(['晚', '早'])
    expect([count, trips]).toEqual([2, 1])
    expect(data[0]).toMatchObject({ module: 'router', module_name: '成员', action: 'delete', action_name: '删除' })
  })

  it('covers the last 7 days unless a range is given', async () => {
    const { write, read } = await createPerson()
    await write('近', { at: Date.now() - LOG_RANGE_MS + 60_000 })
    await write('远', { at: Date.now() - LOG_RANGE_MS - 60_000 })
    expect((await read()).messages).toEqual(['近'])
    const start_time = Date.now() - 20 * DAY_MS
    expect((await read({ start_time })).messages).toEqual(['近', '远'])
    expect((await read({ start_time, end_time: Date.now() - LOG_RANGE_MS })).messages).toEqual(['远'])
  })

  it('never shows lines of an earlier person with the same id', async () => {
    const { born, write, read } = await createPerson()
    await write('前人', { at: born - 1 })
    await write('本人', { at: born })
    expect((await read({ start_time: born - DAY_MS })).messages).toEqual(['本人'])
  })

  it('is paged', async () => {
    const { write, read } = await createPerson()
    for (let n = 0; n < 12; n++) await write(`第${n}行`, { at: Date.now() - 1_000 * n })
    expect((await read()).messages).toHaveLength(10)
    expect((await read({ page: 2 })).messages).toEqual(['第10行', '第11行'])
    expect((await read({ limit: 50 })).messages).toHaveLength(12)
  })
})
