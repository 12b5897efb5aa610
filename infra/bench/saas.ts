import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { FLOW_KINDS } from '#durable/router-hub/flow-buckets.ts'
import { FlowStore } from '#durable/router-hub/flow-store.ts'
import { toFlowTop } from '#durable/router-hub/flow-views.ts'
import { rangeSteps } from '#durable/router-hub/range-steps.ts'
import type { SeriesStorage } from '#durable/router-hub/series-storage.ts'
import { toTrafficPoints } from '#durable/router-hub/traffic-range.ts'
import { TrafficStore } from '#durable/router-hub/traffic-store.ts'
import { DAY_MS, HOUR_MS, hourOf, startOfDay } from '#durable/router-hub/series-time.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { FlowSlot } from '#contract/kernel/protocol.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { type Finding, median, print } from './report.ts'

const DAYS = SAAS.historyDays
const START_DAY = 20_500
const SLOTS = HOUR_MS / FLOWS.slotMs
/** An office: addresses and applications of the whole, and how many of them move something in five minutes. */
const OFFICE = { addresses: 240, activeAddresses: 60, apps: 60, activeApps: 20 } as const
const ROUNDS = 9
const BUDGET = { times: 50, trafficMs: 100, rowsAnHour: 3, mebibytes: 8 } as const

/** A SaaS device after half a year: what a top and the chart of its traffic take, and what they are stored in. */
export function benchSaas(): readonly Finding[] {
  const [storage, raw] = [new Storage(), createRawRows()]
  const hub = fill(storage, raw)
  const now = startOfDay(START_DAY + DAYS)
  const [from, to] = [now - DAYS * DAY_MS, now]

  const ours = () => toFlowTop(hub.flows().between(from, to, 'sources', DAY_MS).buckets, 'sources')
  const theirs = () => raw.top(from)
  const expected = theirs()
  const wrong = ours()
    .slice(0, SAAS.topRows)
    .filter(({ name, total }, n) => name !== expected[n]?.name || total !== expected[n]?.total)
  if (wrong.length > 0 || expected.length !== SAAS.topRows) throw new Error('the top differs from that of the raw rows')

  const [top, groupBy] = [timed(ours, ROUNDS), timed(theirs, 3)]
  const traffic = timed(() => {
    const steps = rangeSteps(from, to, now)
    return toTrafficPoints(hub.traffic().pieces(['eth0'], steps.from, steps.to), steps.stepMs, now)
  }, ROUNDS)
  const findings: readonly Finding[] = [
    {
      what: `top ${SAAS.topRows} of ${DAYS} days against GROUP BY over the raw rows`,
      value: groupBy / top,
      unit: 'times faster',
      budget: BUDGET.times,
      must: 'reach',
      note: `${top.toFixed(1)} ms against ${groupBy.toFixed(0)} ms of ${raw.count()} rows`,
    },
    { what: `traffic of ${DAYS} days`, value: traffic, unit: 'ms', budget: BUDGET.trafficMs, must: 'stay below' },
    {
      what: 'rows of a device',
      value: storage.written / (DAYS * 24),
      unit: 'written an hour',
      budget: BUDGET.rowsAnHour,
      must: 'stay below',
    },
    {
      what: `its storage after ${DAYS} days`,
      value: storage.bytes() / 1_048_576,
      unit: 'MiB',
      budget: BUDGET.mebibytes,
      must: 'stay below',
    },
  ]
  print(`A SaaS device of ${OFFICE.addresses} addresses`, findings)
  return findings
}

/** A hub's storage on SQLite in memory; counts the rows that it writes. Stores are opened anew, as after an eviction. */
class Storage {
  written = 0
  private readonly db = new DatabaseSync(':memory:')
  private readonly keys = new Map<string, unknown>()

  readonly sql = {
    exec: (query: string, ...values: SQLInputValue[]) => {
      const statement = this.db.prepare(query)
      if (/^(INSERT|UPDATE|DELETE)/.test(query)) {
        this.written += Number(statement.run(...values).changes)
        return Object.assign([], { toArray: () => [] })
      }
      const rows = statement.all(...values)
      return Object.assign(rows, { toArray: () => rows })
    },
  }
  readonly kv = {
    get: (key: string) => this.keys.get(key),
    put: (key: string, value: unknown) => {
      this.written += 1
      this.keys.set(key, value)
    },
    delete: (key: string) => this.keys.delete(key),
  }

  bytes(): number {
    const [row] = this.db
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .all()
    return Number(row?.['bytes'])
  }
}

const openFlows = (storage: Storage) => new FlowStore(storage as unknown as SeriesStorage)
const openTraffic = (storage: Storage) => new TrafficStore(storage as unknown as SeriesStorage, null)

/** What a table of the slots themselves would hold. */
function createRawRows() {
  const db = new DatabaseSync(':memory:')
  db.exec(
    'CREATE TABLE flows (at INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, up INTEGER NOT NULL, down INTEGER NOT NULL)',
  )
  const insert = db.prepare('INSERT INTO flows (at, kind, name, up, down) VALUES (?, ?, ?, ?, ?)')
  const query = db.prepare(
    `SELECT name, sum(up) + sum(down) AS total FROM flows WHERE kind = 'sources' AND at >= ? GROUP BY name ORDER BY total DESC, name LIMIT ${SAAS.topRows}`,
  )
  return {
    add: (at: number, slot: FlowSlot) => {
      for (const kind of FLOW_KINDS) for (const [name, up, down] of slot[kind]) insert.run(at, kind, name, up, down)
    },
    commit: () => db.exec('COMMIT'),
    begin: () => db.exec('BEGIN'),
    top: (from: number) => query.all(from) as { readonly name: string; readonly total: number }[],
    count: () => Number(db.prepare('SELECT count(*) AS count FROM flows').get()?.['count']),
  }
}

/** All hours of half a year as a device sends them, with a summary of its counters every five minutes. */
function fill(storage: Storage, raw: ReturnType<typeof createRawRows>) {
  const random = createRandom(1)
  const [flows, traffic] = [openFlows(storage), openTraffic(storage)]
  const counters = { eth0: { rx: 0, tx: 0 }, br0: { rx: 0, tx: 0 } }
  raw.begin()
  for (let hour = hourOf(startOfDay(START_DAY)); hour < hourOf(startOfDay(START_DAY + DAYS)); hour++) {
    const slots = Array.from({ length: SLOTS }, (_, slot) => toSlot(slot, random))
    for (const slot of slots) {
      const at = hour * HOUR_MS + slot.slot * FLOWS.slotMs
      raw.add(at, slot)
      for (const [, up, down] of slot.apps) {
        for (const one of [counters.eth0, counters.br0]) [one.rx, one.tx] = [one.rx + down, one.tx + up]
      }
      traffic.add({ bootId: 'bench', atMs: at, counters: structuredClone(counters) }, at + FLOWS.slotMs, () => {})
    }
    flows.add({ t: 'flows', hour, report: 1, over: true, part: 0, parts: 1, slots }, (hour + 1) * HOUR_MS)
  }
  raw.commit()
  return { flows: () => openFlows(storage), traffic: () => openTraffic(storage) }
}

function toSlot(slot: number, random: () => number): FlowSlot {
  const volumes = (names: number, active: number, nameOf: (n: number) => string) => {
    const found = new Map<string, [string, number, number]>()
    for (let i = 0; i < active; i++) {
      const name = nameOf(Math.floor(random() ** 2 * names))
      found.set(name, [name, Math.floor(random() * 1e6), Math.floor(random() * 1e7)])
    }
    return [...found.values()]
  }
  return {
    slot,
    apps: volumes(OFFICE.apps, OFFICE.activeApps, (n) => `应用${n}`),
    sources: volumes(OFFICE.addresses, OFFICE.activeAddresses, (n) => `192.168.${n >> 7}.${n & 127}`),
  }
}

/** mulberry32: the same office in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Milliseconds of the processor, median. */
function timed(run: () => unknown, rounds: number): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return median(times)
}
