import { createClient } from '@libsql/client/web'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { d1Driver, libsqlDriver } from '#db/driver.ts'
import { PLANNED, type PipelineRequest } from '#tests/support/libsql-server/protocol.ts'
import { type LibsqlServer, startLibsqlServer } from '#tests/support/libsql-server/server.ts'

const TOKEN = 'token'
let server: LibsqlServer
/** First statement of every batch that was sent: how its transaction began. */
let begun: string[] = []
/** Thrown or answered instead of passing the request on, one after the other. */
let faults: (() => Response)[] = []

const observed: typeof fetch = async (input) => {
  const request = input as Request
  const { requests } = (await request.clone().json()) as PipelineRequest
  const texts = new Map(requests.flatMap((r) => (r.type === 'store_sql' ? [[r.sql_id, r.sql] as const] : [])))
  for (const entry of requests) {
    if (entry.type !== 'batch') continue
    const { sql, sql_id: id } = entry.batch.steps[0]!.stmt
    begun.push(sql ?? texts.get(id!) ?? '')
  }
  return faults.shift()?.() ?? fetch(request)
}

const read = { sql: 'select name, id from notes where id > ? order by id', params: [0] }
const write = (name: string) => ({ sql: 'insert into notes (name) values (?) returning id', params: [name] })
const open = (token = TOKEN, path = '/') =>
  libsqlDriver(createClient({ url: `${server.url}${path}`, authToken: token, fetch: observed }))

beforeAll(async () => {
  server = await startLibsqlServer(TOKEN)
  const client = createClient({ url: server.url, authToken: TOKEN })
  await client.executeMultiple('create table notes (id integer primary key, name text unique) strict')
})
afterAll(() => server.close())
beforeEach(() => {
  begun = []
  faults = []
})

describe('libSQL over HTTP', () => {
  it('answers rows in column order, one list per statement', async () => {
    const run = open()
    expect(await run([write('a'), write('b')])).toEqual([[[1]], [[2]]])
    expect(await run([read, read])).toEqual(
      Array(2).fill([
        ['a', 1],
        ['b', 2],
      ]),
    )
  })

  it('reads in a read-only transaction, and takes the write lock where one statement writes', async () => {
    const run = open()
    await run([read, { ...read, sql: `\n      ${read.sql}` }])
    await run([read, write('c')])
    expect(begun).toEqual(['BEGIN TRANSACTION READONLY', 'BEGIN IMMEDIATE'])
  })

  it('refuses a statement that scans a table where statements are planned', async () => {
    const scan = { sql: 'select id from audit_logs where message = ?', params: [''] }
    await expect(open(TOKEN, `/${PLANNED}`)([scan])).rejects.toThrow('SCAN audit_logs: no index')
  })

  it('reads on the primary where a replica that lags would do harm', async () => {
    await libsqlDriver(createClient({ url: server.url, authToken: TOKEN, fetch: observed }), { isPrimaryOnly: true })([
      read,
    ])
    expect(begun).toEqual(['BEGIN IMMEDIATE'])
  })

  it('rolls back the whole batch and passes on the text of the failure', async () => {
    const run = open()
    await expect(run([write('d'), write('d')])).rejects.toThrow('UNIQUE constraint failed: notes.name')
    expect((await run([read]))[0]).not.toContainEqual(['d', expect.anything()])
  })

  it('is refused with another token', async () => {
    await expect(open('other')([read])).rejects.toThrow('HTTP status 401')
  })
})

describe('retry', () => {
  const lost = () => {
    throw new Error('Network connection lost.')
  }
  const answer =
    (status: number, body: object = {}) =>
    () =>
      Response.json(body, { status })
  const expired = answer(400, { message: 'The stream has expired due to inactivity', code: 'STREAM_EXPIRED' })

  it.each([
    ['Network connection lost', lost],
    ['HTTP status 502', answer(502)],
    ['HTTP status 503', answer(503)],
    ['STREAM_EXPIRED', expired],
  ])('reads again after “%s”, at most three times', async (message, fault) => {
    faults = [fault, fault]
    expect(await open()([read])).toHaveLength(1)
    expect(begun).toHaveLength(3)
    faults = [fault, fault, fault]
    await expect(open()([read])).rejects.toThrow(message)
    expect(begun).toHaveLength(6)
  })

  it.each([
    ['HTTP status 504', answer(504)],
    ['Transaction timed out', answer(400, { message: 'Transaction timed out', code: 'TRANSACTION_TIMEOUT' })],
    ['HTTP status 500', answer(500)],
  ])('reads once after “%s”', async (message, fault) => {
    faults = [fault]
    await expect(open()([read])).rejects.toThrow(message)
    expect(begun).toHaveLength(1)
  })

  it('never writes again: the lost batch may have been committed', async () => {
    faults = [lost]
    await expect(open()([write('e')])).rejects.toThrow('Network connection lost')
    expect(begun).toHaveLength(1)
  })

  it.each([
    ['D1_ERROR: Network connection lost.', 3],
    ['D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.', 3],
    ['D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.', 1],
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 1],
  ])('D1 that fails with “%s” is read %i times', async (message, times) => {
    let batches = 0
    const statement = { bind: () => statement }
    const batch = async () => {
      batches += 1
      throw new Error(message)
    }
    const binding = { prepare: () => statement, batch } as unknown as D1Database
    await expect(d1Driver(binding)([read])).rejects.toThrow(message)
    expect(batches).toBe(times)
  })
})
