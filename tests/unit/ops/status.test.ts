import { describe, expect, it } from 'vitest'
import type { Counters } from '#contract/kernel/status.ts'
import { RUNBOOKS } from '#contract/ops/endpoints/status.ts'
import { type StatusCounters, type StatusFacts, type StatusRows, toIndicators, worstOf } from '#domain/ops/status.ts'
import { toStatusReport, watchStatus } from '#infra/local/status-report.ts'

const NOW = Date.UTC(2026, 10, 29)
const ago = (seconds: number) => NOW - seconds * 1000

const ROWS: StatusRows = {
  migrations: { newest: '0063_a.sql', expected: '0063_a.sql', isThere: true },
  outbox: { waiting: 2, stuck: { count: 0, since: null } },
  online: 1_000,
  unreadable: { count: 0, since: null },
  documents: { count: 3, since: ago(900) },
  directories: { all: 10, failing: 1 },
  providersDown: [],
  missing: { recent: 0, limit: 20, heldSince: null },
  cronAt: ago(40),
}
const CALM: Counters = {
  calls: 6_000,
  faults: 2,
  refusals: 40,
  'refused LOGIN_FAILED': 40,
  trips: 9_000,
  tripMs: 90_000,
}
const COUNTERS: StatusCounters = {
  spanMs: 300_000,
  releases: { v1: CALM },
  before: { calls: 5_000 },
  onlineBefore: 1_010,
}
const FACTS: StatusFacts = {
  now: NOW,
  database: { ms: 12, fault: null },
  rows: ROWS,
  counters: COUNTERS,
  probeFault: null,
}

const rows = (over: Partial<StatusRows>): StatusFacts => ({ ...FACTS, rows: { ...ROWS, ...over } })
const counted = (over: Counters, more: Partial<StatusCounters> = {}): StatusFacts => ({
  ...FACTS,
  counters: { ...COUNTERS, releases: { v1: { ...CALM, ...over } }, ...more },
})
const stuck = (seconds: number) => ({ waiting: 9, stuck: { count: 4, since: ago(seconds) } })
const held = (heldSince: number | null, recent = 0) => ({ missing: { recent, limit: 20, heldSince } })
const lacking = { migrations: { newest: '0062_a.sql', expected: '0063_a.sql', isThere: false } }

/** Facts of which one indicator alone is not well. */
const CASES: readonly (readonly [name: string, facts: StatusFacts, level: 'warn' | 'bad', value: RegExp])[] = [
  ['release', counted({ faults: 60 }), 'warn', /v1 100 %; 60 faults of 6000 calls/],
  ['release', counted({ faults: 300 }), 'bad', /300 faults/],
  ['calls', counted({}, { before: { calls: 2_000 } }), 'warn', /1200 a minute, an hour ago 400/],
  ['calls', counted({}, { before: { calls: 500 } }), 'bad', /an hour ago 100/],
  ['refusals', counted({ refusals: 2_000, 'refused TOKEN_BAD': 1_960 }), 'warn', /: TOKEN_BAD 1960, LOGIN_FAILED 40/],
  ['refusals', counted({ refusals: 4_200 }), 'bad', /4200 of 6000 calls/],
  ['overloads', counted({ overloads: 1 }), 'warn', /1 of 6000/],
  ['overloads', counted({ overloads: 20 }), 'bad', /20 of 6000/],
  ['deliveries', counted({ deliveries: 40, failedDeliveries: 10 }), 'warn', /10 of 40 alerts failed/],
  ['deliveries', counted({ deliveries: 40, failedDeliveries: 30 }), 'bad', /30 of 40/],
  ['deliveries', rows({ providersDown: ['sms is down: no balance'] }), 'bad', /sms is down: no balance; 0 of 0/],
  ['database', counted({ tripMs: 9_000 * 250 }), 'warn', /12 ms now, 250 ms on average of 9000 calls, 0 refused/],
  ['database', { ...FACTS, database: { ms: 1_200, fault: null } }, 'bad', /1200 ms now/],
  ['database', counted({ refusedTrips: 1 }), 'warn', /1 refused/],
  ['database', counted({ refusedTrips: 5 }), 'bad', /5 refused/],
  ['hubs', rows({ unreadable: { count: 1, since: ago(80) } }), 'warn', /1 unreadable routers, the oldest for 80 s/],
  ['hubs', rows({ unreadable: { count: 20, since: ago(600) } }), 'bad', /the oldest for 10 min/],
  ['hubs', { ...FACTS, probeFault: 'no answer within 3000 ms' }, 'bad', /not answered: no answer within 3000 ms/],
  ['online', counted({}, { onlineBefore: 1_200 }), 'warn', /1000 now, an hour ago 1200/],
  ['online', counted({}, { onlineBefore: 2_000 }), 'bad', /an hour ago 2000/],
  ['migrations', rows(lacking), 'bad', /0062_a\.sql, this release needs 0063_a\.sql/],
  ['outbox', rows({ outbox: stuck(10) }), 'warn', /9 waiting, 4 stuck, the oldest for 10 s/],
  ['outbox', rows({ outbox: stuck(30) }), 'bad', /the oldest for 30 s/],
  ['documents', rows({ documents: { count: 20, since: ago(900) } }), 'warn', /20 not applied, the oldest for 15 min/],
  ['documents', rows({ documents: { count: 200, since: ago(900) } }), 'bad', /200 not applied/],
  ['directories', rows({ directories: { all: 10, failing: 3 } }), 'warn', /3 of 10 failing/],
  ['directories', rows({ directories: { all: 10, failing: 5 } }), 'bad', /5 of 10 failing/],
  ['missing', rows(held(null, 1)), 'warn', /1 recently, the hold is off, by itself above 20/],
  ['missing', rows(held(ago(200))), 'bad', /the hold is on, the oldest for 3 min/],
  ['cron', rows({ cronAt: ago(150) }), 'warn', /ran 3 min ago/],
  ['cron', rows({ cronAt: ago(400) }), 'bad', /ran 7 min ago/],
  ['cron', rows({ cronAt: null }), 'bad', /never run/],
]

describe('hubs.md, Status · levels', () => {
  it('is well on a calm day, of which it shows the numbers', () => {
    const indicators = toIndicators(FACTS)
    expect(indicators.filter(({ level }) => level !== 'ok')).toEqual([])
    expect(worstOf(indicators)).toBe('ok')
    expect(Object.fromEntries(indicators.map(({ name, value }) => [name, value]))).toMatchObject({
      release: 'v1 100 %; 2 faults of 6000 calls',
      database: '12 ms now, 10 ms on average of 9000 calls, 0 refused',
      online: '1000 now, an hour ago 1010',
    })
  })

  it.each(CASES)('%s', (name, facts, level, value) => {
    const notWell = toIndicators(facts).filter((one) => one.level !== 'ok')
    expect(notWell).toMatchObject([{ name, level, value: expect.stringMatching(value) }])
    expect(worstOf(notWell)).toBe(level)
  })

  it('has a case for each indicator, and a runbook', () => {
    const indicators = toIndicators(FACTS)
    expect(new Set(CASES.map(([name]) => name))).toEqual(new Set(indicators.map(({ name }) => name)))
    expect(indicators.filter(({ runbook }) => !RUNBOOKS.includes(runbook))).toEqual([])
    expect(indicators.filter(({ threshold }) => threshold === '')).toEqual([])
  })

  it('small numbers are no share: two of three calls may fail', () => {
    const few = counted({ calls: 3, faults: 2, refusals: 1 }, { before: { calls: 0 }, onlineBefore: 1_009 })
    expect(worstOf(toIndicators(few))).toBe('ok')
  })

  it('goes on without the database: what is read from it is unknown, and the database is bad', () => {
    const indicators = toIndicators({ ...FACTS, rows: null, database: { ms: 5, fault: 'D1 DB is overloaded' } })
    expect(indicators.filter(({ level }) => level === 'bad')).toMatchObject([
      { name: 'database', value: 'no answer: D1 DB is overloaded', runbook: 'database-overloaded' },
    ])
    const unknown = indicators.filter(({ level }) => level === 'unknown').map(({ name }) => name)
    expect(unknown).toEqual(['hubs', 'online', 'migrations', 'outbox', 'documents', 'directories', 'missing', 'cron'])
  })

  it.each(['unbound', 'away'] as const)('goes on without counters (%s), and says so', (counters) => {
    const indicators = toIndicators({ ...FACTS, counters })
    const unknown = indicators.filter(({ level }) => level === 'unknown')
    expect(unknown.map(({ name }) => name)).toEqual([
      'release',
      'calls',
      'refusals',
      'overloads',
      'deliveries',
      'online',
    ])
    expect(unknown[0]?.value).toMatch(/StatusHub/)
    expect(worstOf(indicators)).toBe('unknown')
  })
})

describe('npm run ops -- status', () => {
  const indicators = [...toIndicators(rows({ outbox: stuck(50) }))]
  const status = {
    level: worstOf(indicators),
    release: 'v1',
    from: ago(300),
    to: NOW,
    counters: 'kept' as const,
    indicators,
    releases: [],
  }

  it('prints a line for each, and threshold and runbook below what is not well', () => {
    const lines = toStatusReport(status).split('\n')
    expect(lines[0]).toBe('BAD  2026-11-29 08:00:00  release v1')
    const at = lines.indexOf('bad     outbox      9 waiting, 4 stuck, the oldest for 50 s')
    expect(lines[at + 1]?.trim()).toBe('from 1 stuck, bad once for 30 s; infra/docs/operate.md#queue-stuck')
    expect(lines).toHaveLength(indicators.length + 2)
  })

  it('is repeated with --watch, also while it cannot be read', async () => {
    const printed: string[] = []
    const answers = [status, new Error('status: 503'), status]
    const watch = watchStatus({
      read: async () => {
        const next = answers.shift()
        if (next === undefined || next instanceof Error) throw next
        return next
      },
      print: (text) => void printed.push(text.split('  ')[0] ?? ''),
      pause: async () => {
        if (answers.length === 0) throw new Error('end')
      },
    })
    await expect(watch).rejects.toThrow('end')
    expect(printed).toEqual(['BAD', 'BAD', 'BAD'])
  })
})
