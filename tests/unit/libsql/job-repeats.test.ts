import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Db, openDb } from '#db/client.ts'
import { NOW, db, driver } from '#tests/support/libsql.ts'
import { SCENARIOS, type Scenario } from './job-scenarios.ts'
import { SILENT, createTickets } from './ticket-scenario.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Cron runs may come twice, late, not at all, or be cut off between two batches: the work is done once all the same.

const MINUTE = 60_000
/** A day and a half, after which the sweep of files looks at the same part of the bucket. */
const LATE = 8 * 256 * MINUTE

/** A connection that is lost at this round trip, before its transaction or once it has committed, and stays lost. */
function losing(trip: number, is: 'before' | 'committed') {
  const state = { trips: 0, isLost: false }
  const lossy: Db = openDb(async (statements) => {
    state.trips += 1
    if (state.trips < trip) return driver(statements)
    const isFirst = !state.isLost
    state.isLost = true
    if (isFirst && is === 'committed') await driver(statements)
    throw new Error('Network connection lost.')
  })
  return { lossy, state }
}

async function cleanResult<R>(create: () => Promise<Scenario<R>>): Promise<R> {
  const { run, result } = await create()
  await run(db, NOW)
  return result()
}

const jobs = Object.entries(SCENARIOS)

it('each job: run twice, and two at once, does its work once', async () => {
  const offenders = await findOffenders(jobs)(async (_, create) => {
    const before = await (await create()).result()
    const clean = await cleanResult(create)
    expect(clean).not.toEqual(before) // there was work
    const twice = await create()
    await twice.run(db, NOW)
    await twice.run(db, NOW)
    await twice.run(db, NOW + MINUTE)
    expect(await twice.result()).toEqual(clean)
    const parallel = await create()
    await Promise.all([parallel.run(db, NOW), parallel.run(db, NOW)])
    expect(await parallel.result()).toEqual(clean)
  })
  expect(offenders).toEqual([])
})

it('each job: a run that is late loses nothing', async () => {
  const offenders = await findOffenders(jobs)(async (_, create) => {
    const clean = await cleanResult(create)
    const { run, result } = await create()
    await run(db, NOW + LATE)
    await run(db, NOW + LATE)
    expect(await result()).toEqual(clean)
  })
  expect(offenders).toEqual([])
})

it('each job: cut off at any of its batches and run again, does its work once', async () => {
  const offenders = await findOffenders(jobs)(async (_, create) => {
    const clean = await cleanResult(create)
    let cuts = 0
    for (const is of ['before', 'committed'] as const) {
      for (let trip = 1; ; trip++) {
        const { run, result, againMs = MINUTE } = await create()
        const { lossy, state } = losing(trip, is)
        await run(lossy, NOW).catch(() => {})
        if (!state.isLost) break
        cuts += 1
        await run(db, NOW + againMs)
        await run(db, NOW + 2 * againMs)
        expect({ is, trip, left: await result() }).toEqual({ is, trip, left: clean })
      }
    }
    expect(cuts).toBeGreaterThanOrEqual(2)
  })
  expect(offenders).toEqual([])
})

it('expiry: logs and audit are kept for 200 days, messages for 180', async () => {
  const kept = [
    'audit 150',
    'connection 150',
    'sign-in 150',
    'dial 150',
    'certificate 150',
    'revocation 150',
    'message 130',
  ]
  expect(await cleanResult(SCENARIOS['expiry']!)).toEqual(kept) // those of 201 and 181 days are gone
})

it('authority-keys: the same key is sealed under the first of SEAL_KEYS', async () => {
  expect(await cleanResult(SCENARIOS['authority-keys']!)).toEqual(['v1.test', '010203'])
})

it('certificates: one message for each trouble of a device that is in a network', async () => {
  expect(await cleanResult(SCENARIOS['certificates']!)).toEqual(
    expect.arrayContaining(['设备“troubled”的证书申请无效', '设备“troubled”的证书即将到期']),
  )
  expect(await cleanResult(SCENARIOS['certificates']!)).toHaveLength(2)
})

it('profiles: one message about those that end within a week and are not revoked', async () => {
  expect(await cleanResult(SCENARIOS['profiles']!)).toEqual(['1个接入配置即将到期'])
})

it('tickets: what is due is warned of, closed and purged, over two batches', async () => {
  const { tickets, messages, ...rest } = await cleanResult(createTickets)
  const warned = { status: 3, revision: 2, warned: 1, closed: 0, due: 1 }
  expect(tickets).toEqual([
    ...Array.from({ length: SILENT }, (_, n) => ({ title: `提醒${n}`, ...warned })),
    { title: '关闭', status: 4, revision: 2, warned: 1, closed: 1, due: 0 },
    { title: '未到期', status: 3, revision: 1, warned: 0, closed: 0, due: 1 },
  ])
  const titles = Array.from({ length: SILENT }, (_, n) => `工单“提醒${n}”即将自动关闭`)
  expect(messages.map(({ title }) => title).toSorted()).toEqual([...titles, '工单“关闭”已自动关闭'].toSorted())
  expect(rest).toEqual({
    audit: [{ actor_kind: 'system', action: 'close', message: '工单“关闭”长时间没有新的回复，已自动关闭' }],
    replies: [{ content: '关闭' }],
    files: [{ name: '关闭' }],
    isRefreshed: true,
  })
})

it('every job of the cron is here', () => {
  const text = readFileSync('worker/jobs/jobs.ts', 'utf8')
  const names = [...text.matchAll(/\bname: '([^']+)'/g)].map(([, name]) => name)
  expect(Object.keys(SCENARIOS).toSorted()).toEqual([...new Set(names)].toSorted())
})
