import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { detectConflict, guardRevisions, retryOnConflict } from '#db/conflict.ts'
import { guard } from '#db/guard.ts'
import { type OutboxContext, notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { accounts } from '#db/schema/accounts.ts'
import { NOW, createAccount, db, run } from '#tests/support/libsql.ts'

describe('batch', () => {
  it('answers by name, in the order written, and leaves out what is undefined or false', async () => {
    const { id } = await createAccount(1)
    const wanted = false as boolean
    const { before, renamed, after, skipped } = await batch(db, {
      before: db.select({ nickname: accounts.nickname }).from(accounts).where(eq(accounts.id, id)),
      renamed: db.update(accounts).set({ nickname: '新名' }).where(eq(accounts.id, id)).returning({ id: accounts.id }),
      skipped: wanted && db.delete(accounts),
      after: db.select({ nickname: accounts.nickname }).from(accounts).where(eq(accounts.id, id)),
    })
    expect([before, renamed, after, skipped]).toEqual([[{ nickname: '' }], [{ id }], [{ nickname: '新名' }], undefined])
    expect(await batch(db, {})).toEqual({})
  })

  it('hands entries of the hub outbox on once it has committed, and not before', async () => {
    const ctx: OutboxContext = { db, now: NOW, hubOutbox: [] }
    const write = (isAllowed: boolean) =>
      batch(db, {
        hubs: notifyHubs(ctx, refreshTasks('account', ['default.x'])),
        allowed: guard(db, isAllowed ? sql`true` : sql`false`, violation('SIGN_REQUIRED')),
      })
    await expect(write(false)).rejects.toMatchObject({ violation: { key: 'SIGN_REQUIRED' } })
    expect(ctx.hubOutbox).toEqual([])
    await write(true)
    expect(ctx.hubOutbox).toMatchObject([{ kind: 'account', hub: 'default.x', op: 'refresh' }])
    expect(await run('select id, hub from hub_outbox')).toMatchObject([{ id: ctx.hubOutbox[0]!.id, hub: 'default.x' }])
  })
})

describe('optimistic lock', () => {
  async function aNetwork() {
    const { id } = await createAccount(1)
    const args = [id, `L${id}`, `default.l${id}`]
    await run(
      `insert into networks (account_id, number, name, secret, created_at, hub) values (?, ?, 'n', 's', 0, ?)`,
      args,
    )
    const [row] = await run('select id, revision from networks where number = ?', [`L${id}`])
    return { accountId: id, network: { id: Number(row?.['id']), revision: Number(row?.['revision']) } }
  }
  const bump = (id: number) => run('update networks set revision = revision + 1 where id = ?', [id])
  const write = async (accountId: number, network: { id: number; revision: number }) =>
    detectConflict(batch(db, { revision: guardRevisions(db, accountId, [network]) }))

  it('reads and decides again when another write came in between', async () => {
    const { accountId, network } = await aNetwork()
    let reads = 0
    const done = await retryOnConflict(async () => {
      const [row] = await run('select revision from networks where id = ?', [network.id])
      if (++reads < 3) await bump(network.id)
      await write(accountId, { id: network.id, revision: Number(row?.['revision']) })
      return 'done'
    })
    expect([done, reads]).toEqual(['done', 3])
  })

  it('gives up where that never ends, and refuses at once what is no conflict', async () => {
    const { accountId, network } = await aNetwork()
    await bump(network.id)
    const random = vi.spyOn(Math, 'random').mockReturnValue(0) // the pauses between tries
    onTestFinished(() => random.mockRestore())
    const stale = retryOnConflict(() => write(accountId, network))
    await expect(stale).rejects.toMatchObject({ violation: { key: 'NETWORK_CHANGED' } })
    let tries = 0
    const broken = retryOnConflict(async () => {
      tries++
      throw new Error('no such table')
    })
    await expect(broken).rejects.toThrow('no such table')
    expect(tries).toBe(1)
  })

  it('is of one account: another’s network never has the revision', async () => {
    const { network } = await aNetwork()
    const other = await createAccount(1)
    await expect(write(other.id, network)).rejects.toThrow('another write committed first')
  })
})
