import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { FlowStore } from '../../durable/router-hub/flow-store.ts'
import { toFlowTop } from '../../durable/router-hub/flow-views.ts'
import { DAY_MS, HOUR_MS, hourOf, startOfDay } from '../../durable/router-hub/traffic.ts'
import type { FlowSlot } from '../../worker/contract/flow-frames.ts'
import { type Finding, print } from './report.ts'

const DAYS = 180
const ADDRESSES = 200
const FIRST_DAY = 20_500
const APPS = 30
const RUNS = 20

/** A hub's storage on SQLite in memory; counts the rows that are written. */
class Storage {
  readonly db = new DatabaseSync(':memory:')
  written = 0
  readonly sql = {
    exec: (query: string, ...values: SQLInputValue[]) => {
      const statement = this.db.prepare(query)
      if (/^(INSERT|DELETE)/.test(query)) {
        this.written += Number(statement.run(...values).changes)
        return []
      }
      const rows = statement.all(...values)
      return Object.assign(rows, { toArray: () => rows })
    },
  }

  bytes(): number {
    const [{ bytes }] = this.db
      .prepare('SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS bytes')
      .all() as [{ bytes: number }]
    return bytes
  }
}

/** Half a year of a busy SaaS device: rows, size, and its top 30 against one row a flow in the same engine. */
export async function benchFlows(): Promise<readonly Finding[]> {
  const [packed, plain] = [new Storage(), new DatabaseSync(':memory:')]
  const store = new FlowStore(packed as unknown as ConstructorParameters<typeof FlowStore>[0])
  plain.exec('CREATE TABLE flows (at INTEGER, name TEXT, up INTEGER, down INTEGER)')
  const insert = plain.prepare('INSERT INTO flows VALUES (?, ?, ?, ?)')
  for (let day = 0; day < DAYS; day++) {
    plain.exec('BEGIN')
    for (let i = 0; i < 24; i++) fillHour(store, insert, hourOf(startOfDay(FIRST_DAY + day)) + i)
    plain.exec('COMMIT')
  }
  const to = startOfDay(FIRST_DAY + DAYS)
  const from = to - DAYS * DAY_MS
  const query = plain.prepare(
    'SELECT name, sum(up) AS up, sum(down) AS down FROM flows WHERE at >= ? AND at < ? GROUP BY name ORDER BY sum(up) + sum(down) DESC LIMIT 30',
  )
  const rawMs = timed(() => query.all(from, to), 3)
  const topMs = timed(() => toFlowTop(store.between(from, to), 'sources'), RUNS)
  const findings: Finding[] = [
    { what: 'top 30 of 180 days', value: topMs, unit: 'ms', budget: 100, must: 'stay below' },
    { what: 'GROUP BY over a row a flow', value: rawMs, unit: 'ms' },
    { what: 'times faster', value: rawMs / topMs, unit: '×', budget: 50, must: 'reach' },
    {
      what: 'rows written an hour by flows',
      value: packed.written / (DAYS * 24),
      unit: '',
      budget: 3,
      must: 'stay below',
    },
    { what: 'kept after 180 days', value: packed.bytes() / 2 ** 20, unit: 'MiB', budget: 8, must: 'stay below' },
  ]
  print('Flows of a SaaS device', findings)
  return findings
}

function fillHour(store: FlowStore, insert: { run(...values: SQLInputValue[]): unknown }, hour: number): void {
  const slots = Array.from({ length: 12 }, (_, slot): FlowSlot => {
    const volumes = (count: number, nameOf: (i: number) => string) =>
      Array.from({ length: count }, (__, i): [string, number, number] => [
        nameOf(i),
        1_000 + ((hour * 31 + slot * 7 + i * 13) % 90_000),
        10_000 + ((hour * 17 + slot * 11 + i * 29) % 900_000),
      ])
    return { slot, apps: volumes(APPS, (i) => `应用${i}`), sources: volumes(ADDRESSES, (i) => `10.0.0.${i}`) }
  })
  store.add({ t: 'flows', hour, report: 1, over: true, part: 0, parts: 1, slots }, (hour + 1) * HOUR_MS)
  for (const { slot, sources } of slots)
    for (const [name, up, down] of sources.slice(0, 15)) insert.run(hour * HOUR_MS + slot * 300_000, name, up, down)
}

function timed(work: () => unknown, runs: number): number {
  work()
  const began = performance.now()
  for (let i = 0; i < runs; i++) work()
  return (performance.now() - began) / runs
}
