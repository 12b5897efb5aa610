import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Output } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { EXPORT } from '#contract/ops/limits.ts'
import { ACCOUNT_TABLES } from '#db/schema/account-tables.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { objectName } from '#domain/file/upload.ts'
import { countRows, fillAccount } from '#tests/support/account-rows.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

type Page = Output<typeof opsApi.accountExportRows>

let accountId = 0
let account = ''
beforeAll(async () => {
  accountId = await fillAccount(2)
  await fillAccount(3)
  account = `owner${accountId}`
})

/** All pages of a table. */
async function readTable(table: string): Promise<Page['rows']> {
  const rows: Page['rows'] = []
  for (let after: string | null = null; ;) {
    const { data }: { data: Page } = await call(opsApi.accountExportRows, {
      account,
      table,
      ...(after !== null && { after }),
    })
    rows.push(...data.rows)
    if (data.next === null) return rows
    after = data.next
  }
}

describe('design 5 · account/export', () => {
  it('counts the rows of each table, and the account sees it in its log', async () => {
    const counts = await countRows(accountId)
    const { data } = await call(opsApi.accountExport, { account })
    expect(data.account_id).toBe(accountId)
    expect(Object.fromEntries(data.tables.map(({ name, rows }) => [name, rows]))).toEqual({
      ...counts,
      audit_logs: (counts['audit_logs'] ?? 0) + 1,
    })
    const log = await db.select().from(auditLogs).where(eq(auditLogs.accountId, accountId))
    expect(log.map(({ actorKind, action }) => `${actorKind} ${action}`)).toContain('operator account/export')
  })

  it('gives of each table the exported columns of the account’s rows, and nothing else', async () => {
    for (const { name, exported } of ACCOUNT_TABLES) {
      const rows = await readTable(name)
      expect([name, rows.length > 0]).toEqual([name, true])
      for (const row of rows) {
        expect([name, Object.keys(row)]).toEqual([name, exported.split(' ')])
        expect([name, row['account_id'] ?? accountId]).toEqual([name, accountId])
      }
    }
  })

  it.each([
    ['connection_logs', 'account_id, router_name, epoch, online, remote_ip, remote_port, version, at'],
    ['messages', 'account_id, event_id, type, title, content, created_at'],
  ])('pages of %s have each row once, also of one time', async (table, columns) => {
    const values =
      table === 'messages'
        ? sql`${accountId}, 'page' || i, 't', 't', 'c', 7`
        : sql`${accountId}, 'NL1', i, 1, '10.0.0.1', 1, '1', 7 + i / 300`
    await db.run(sql`
      insert into ${sql.identifier(table)} (${sql.raw(columns)})
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${2 * EXPORT.rows + 50}) select ${values} from n`)
    const ids = (await readTable(table)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe((await countRows(accountId))[table])
  })

  it('gives a file of the account, and none of another', async () => {
    const keyOf = async (id: number) => {
      const [[key] = ['']] = await db.all<[string]>(sql`select key from files where account_id = ${id}`)
      return key
    }
    const [own, foreign] = ['a'.repeat(32), 'b'.repeat(32)]
    await db.run(sql`update files set key = ${own} where account_id = ${accountId} and key = ${await keyOf(accountId)}`)
    await db.run(sql`update files set key = ${foreign} where account_id = 3000`)
    for (const key of [own, foreign]) await env.FILES.put(objectName(key), key)
    const file = await call(opsApi.accountExportFile, { account, key: own })
    expect(new TextDecoder().decode(file.bytes)).toBe(own)
    expect(await call(opsApi.accountExportFile, { account, key: foreign })).toMatchObject(refusal('FILE_NOT_FOUND'))
  })

  it('gives one hub in each call: routers with traffic and links, networks with diagnoses, alerts in pages', async () => {
    const asked: number[] = []
    const { hubs } = fakeHubs({
      'router.trafficSeries': (_: string, range: never, at: never) => ({ from: at, to: at, data: { [range]: [] } }),
      'network.routerLinks': () => ({
        links: [
          { id: 'N1:NL1>B', router_name: 'NL12000' },
          { id: 'N1:A>NL1', router_name: 'A' },
        ],
      }),
      'network.diagnoses': () => ({ rows: [{ job_id: 'j1' }], count: 1 }),
      'network.diagnosis': () => ({ job_id: 'j1', steps: [] }),
      'account.routerTransitions': () => [{ from: 'online', to: 'offline', at: 1, reason: 'r' }],
      'account.alerts': (_: string, { page }: never) => {
        asked.push(page)
        return { rows: [{ id: `a${String(page)}` }], count: 150, open: 0 }
      },
      'account.alertDeliveries': () => ({ rows: [], count: 0, paused: 0 }),
    })
    const worker = createTestWorker({ hubs })
    const read = async (kind: 'router' | 'network' | 'account', after = 0) =>
      (await worker.call(opsApi.accountExportSeries, { account, kind, after })).data
    const routers = await read('router')
    expect(routers.series).toMatchObject([
      { router_name: 'NL12000', links: [{ id: 'N1:NL1>B' }], transitions: [{ at: 1 }] },
    ])
    const { traffic, flows } = routers.series[0] as { traffic: { range: string; from: number }[]; flows: object }
    expect(traffic.map(({ range }) => range)).toEqual([...Array(3).fill('day'), ...Array(6).fill('month')])
    expect(Math.min(...traffic.map(({ from }) => from))).toBeLessThan(Date.now() - 160 * 86_400_000)
    expect(Object.keys(flows)).toEqual(['apps', 'sources']) // a SaaS device
    expect(await read('router', routers.next ?? 0)).toEqual({ series: [], next: null })
    const networks = await read('network')
    expect(networks.series).toEqual([{ network_number: 'N12000', diagnoses: [{ job_id: 'j1', steps: [] }] }])
    const first = await read('account')
    expect(first).toMatchObject({ series: [{ page: 1, alerts: [{ id: 'a1' }] }], next: 1 })
    expect(await read('account', 1)).toMatchObject({ series: [{ page: 2 }], next: null })
    expect(asked).toEqual([1, 2])
  })

  it('names a hub that does not answer, and goes on', async () => {
    const { hubs } = fakeHubs({ 'router.trafficSeries': noAnswer, 'network.diagnoses': noAnswer })
    const read = async (kind: 'router' | 'network') =>
      (await createTestWorker({ hubs }).call(opsApi.accountExportSeries, { account, kind })).data
    expect(await read('router')).toEqual({
      series: [{ router_name: 'NL12000', unreadable: true }],
      next: expect.any(Number),
    })
    expect((await read('network')).series).toEqual([{ network_number: 'N12000', unreadable: true }])
  })

  it('refuses an unknown table or account, and an account that is being erased', async () => {
    expect(await call(opsApi.accountExportRows, { account, table: 'devices' })).toMatchObject({ code: 422 })
    expect(await call(opsApi.accountExport, { account: 'nobody99' })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
    const lost = createTestWorker({ lostAt: { trip: 3, is: 'before' } })
    await lost.call(opsApi.accountErase, { account, confirm: 1 })
    expect(await call(opsApi.accountExport, { account })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
  })
})
