import { describe, expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import { logsApi } from '#contract/logs/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { createFleet, createMainAccount, createNetwork, createSubAccount } from '#tests/support/fixtures.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

async function createAudits(accountId: number, rows: readonly Partial<typeof auditLogs.$inferInsert>[]) {
  const row = { accountId, actorKind: 'main' as const, actorName: 'boss', module: 'network', action: 'edit_data' }
  const rest = { target: 'N1', message: '修改组网', ip: '203.0.113.5', requestId: 'r1', at: Date.now() - 1_000 }
  await db.insert(auditLogs).values(rows.map((over, n) => ({ ...row, ...rest, at: rest.at + n, ...over })))
}

describe('directory 6 · logs/audit', () => {
  it('answers what all actors did, with both sides of each change, newest first', async () => {
    const main = await createMainAccount()
    await createAudits((await createMainAccount()).accountId, [{}])
    await createAudits(main.accountId, [
      { before: JSON.stringify({ note: '旧' }), after: JSON.stringify({ note: '新' }) },
      { actorKind: 'ram', actorName: 'ops@boss', module: 'router' },
      { actorKind: 'operator', actorName: '运营', ip: '198.51.100.9' },
      { actorKind: 'system', actorName: '系统', ip: '', before: 'null', after: JSON.stringify({ status: 0 }) },
    ])
    const answer = await main.call(logsApi.audit, {})
    expect(answer).toMatchObject({ code: 200, trips: 1, count: 4, capped: 0 })
    expect(answer.data.map(({ actor_kind, ip }) => [actor_kind, ip])).toEqual([
      ['system', ''],
      ['operator', ''],
      ['ram', '203.0.113.5'],
      ['main', '203.0.113.5'],
    ])
    expect(answer.data[3]).toMatchObject({ before: { note: '旧' }, after: { note: '新' }, request_id: 'r1' })
    expect(answer.data[0]).toMatchObject({ before: null, after: { status: 0 } })
    expect(answer.data[2]).toMatchObject({ before: null, after: null })
  })

  it.each([
    [{ actor_kind: 'ram' }, 1],
    [{ actor: 'ops@boss' }, 1],
    [{ actor: 'ops' }, 0],
    [{ module: 'router' }, 1],
    [{ module: 'network' }, 2],
    [{ search: '上海' }, 1],
    [{ search: 'OPS@' }, 1],
    [{ search: 'n2' }, 1],
    [{ search: '113.9' }, 1],
    [{ start_time: '2000-01-01', end_time: '2000-01-02' }, 0],
  ] as const)('is filtered by %j', async (filter, count) => {
    const main = await createMainAccount()
    await createAudits(main.accountId, [
      { message: '修改组网“上海”' },
      { actorKind: 'ram', actorName: 'ops@boss', module: 'router', ip: '203.0.113.9' },
      { target: 'N2' },
    ])
    expect(await main.call(logsApi.audit, filter)).toMatchObject({ code: 200, count })
  })

  it('holds what a call has changed', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const number = await createNetwork(main, [routers[0]!])
    await main.call(networkApi.name, { network_number: number, network_name: '华东' })
    const { data } = await main.call(logsApi.audit, { module: 'network', search: number })
    expect(data[0]).toMatchObject({ actor_name: main.username, after: { network_name: '华东' } })
  })

  it('is for the main account only, whatever a role holds', async () => {
    const sub = await createSubAccount(await createMainAccount(), { flags: ['network:edit', 'monitor:edit'] })
    expect(await sub.call(logsApi.audit, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })

  it('no call deletes a row of a log', () => {
    const writes = API.filter(({ path, method }) => path.startsWith('logs/') && method !== 'GET')
    expect(writes).toEqual([])
  })
})
