import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LOG_SEARCH } from '#contract/logs/limits.ts'
import { logsApi } from '#contract/logs/index.ts'
import { spyOnBatch } from '#tests/support/database-spy.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

afterEach(() => void vi.restoreAllMocks())

const ROWS = LOG_SEARCH.rowsMax * 3
const NEWEST = Date.parse('2026-03-10T12:00:00+08:00')
const RANGE = { start_time: '2026-01-01', end_time: '2026-03-10' }
/** Of each row that is looked at its entry in an index, the row, and its member, by the page and by the count. */
const READS = 8
/** Dials that began in the range, and those that lasted into it. */
const READS_ONLINE = 14

/** Rows that D1 charges for. */
function meterReads() {
  const batch = env.DB!.batch.bind(env.DB)
  const sum = { read: 0 }
  spyOnBatch().mockImplementation(async (statements) => {
    const results = await batch(statements)
    for (const { meta } of results) sum.read += meta.rows_read
    return results as never
  })
  return sum
}

/** A second apart, the newest first; every ten thousandth is found. */
const fill = (table: string, columns: string, values: string) =>
  db.run(
    sql.raw(`with recursive n (i, at, mark) as (
      select 0, ${NEWEST}, 'needle' union all
      select i + 1, ${NEWEST} - (i + 1) * 1000, iif((i + 1) % 10000 = 0, 'needle', 'hay') from n where i + 1 < ${ROWS})
    insert into ${table} (${columns}) select ${values} from n`),
  )

const FOUND = LOG_SEARCH.rowsMax / 10_000
const SEARCHED_FROM = NEWEST - LOG_SEARCH.rowsMax * 1_000 + 1

describe('directory 2 · a search over a very large range', () => {
  it.each([
    [
      'logs/software_login',
      logsApi.softwareLogin,
      (id: number) => fill('software_login_logs', 'account_id, router_name, ok, ip, at', `${id}, 'u', 1, mark, at`),
    ],
    [
      'logs/connect',
      logsApi.connect,
      (id: number) =>
        fill(
          'connection_logs',
          'account_id, router_name, epoch, online, remote_ip, remote_port, version, at',
          `${id}, 'NL', i, 1, mark, 0, '', at`,
        ),
    ],
    [
      'logs/online',
      logsApi.online,
      (id: number) =>
        fill(
          'dial_logs',
          'account_id, key, mode, network_number, router_name, link_router_name, orig, start_at, end_at',
          `${id}, 'k' || i, 'p2p', 'N', 'u', 'NL', mark, at, at + 500`,
        ),
    ],
    [
      'logs/audit',
      logsApi.audit,
      (id: number) =>
        fill(
          'audit_logs',
          'account_id, actor_kind, actor_name, module, action, target, message, ip, request_id, at',
          `${id}, 'main', 'a', 'm', 'a', mark, '', '', '', at`,
        ),
    ],
  ] as const)(
    '%s looks at the newest rows, says since when, and reads no more',
    async (_, endpoint, insert) => {
      const main = await createMainAccount()
      await insert(main.accountId)
      const search = { ...RANGE, search: 'needle' }
      const rows = meterReads()
      const readMax = LOG_SEARCH.rowsMax * (endpoint === logsApi.online ? READS_ONLINE : READS)
      const answer = await main.call(endpoint, search)
      expect(answer).toMatchObject({ code: 200, trips: 1, count: FOUND, capped: 0, searched_from: SEARCHED_FROM })
      expect(answer.data).toHaveLength(FOUND)
      expect(rows.read).toBeLessThanOrEqual(readMax)
      rows.read = 0
      expect(await main.call(endpoint, { ...search, start_time: SEARCHED_FROM + 600, end_time: NEWEST })).toMatchObject(
        {
          count: FOUND,
          searched_from: null,
        },
      )
      const type = ({ 'logs/connect': 'connect', 'logs/online': 'online', 'logs/audit': 'audit' } as const)[
        endpoint.path as 'logs/connect'
      ]
      rows.read = 0
      const exported = { ...search, type: type ?? ('software_login' as const) }
      expect(await main.call(logsApi.export, exported)).toMatchObject({
        ...refusal('EXPORT_SEARCH_MAX'),
        msg: '时间范围内的记录超过50000条，无法全部搜索，请缩小时间范围',
      })
      expect(rows.read).toBeLessThanOrEqual(readMax)
      expect(await main.call(endpoint, RANGE)).toMatchObject({ count: 10_000, capped: 1, searched_from: null })
    },
    60_000,
  )
})
