import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { networkApi } from '../../worker/contract/network.ts'
import { createFleet, createNetwork, networkRow } from '../support/fixtures.ts'
import { createTestWorker, db } from '../support/test-worker.ts'

const POINTS = 1_990

/** Rows of a write with its audit and outbox rows, indexes included. */
const WRITTEN = 30
/** Rows that are read for each member: what it reports, whom its networks meet, and the counts that quotas compare. */
const READ_OF_A_MEMBER = { plan: 19, write: 4.1 } as const

/** Rows that D1 charges for, of each trip. */
const trips: Cost[] = []
const batch: D1Database['batch'] = async <T>(statements: D1PreparedStatement[]) => {
  const results = await env.DB!.batch<T>(statements)
  const sum = (rows: 'rows_read' | 'rows_written') => results.reduce((total, { meta }) => total + meta[rows], 0)
  trips.push({ read: sum('rows_read'), written: sum('rows_written') })
  return results
}
const DB = { prepare: (query: string) => env.DB!.prepare(query), batch } as D1Database
const { call, hubCalls } = createTestWorker({ env: { DB } })

/** A network of one centre and 2,000 points, each with LANs of its own. */
async function createLargeNetwork() {
  const { main, routers } = await createFleet({ memberQuota: 3_000, hardware: 2, software: 0 })
  const number = await createNetwork(main, routers.slice(0, 1))
  const prefix = `BIG${main.accountId}-`
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${POINTS})`
  const ports = (
    third: unknown,
  ) => sql`json_array(json_object('interface', 'lan0', 'interface_uuid', 'lan0', 'protocol', 'static',
    'role', 'lan', 'ip', '10.' || (${third} / 250) || '.' || (${third} % 250) || '.1', 'mask', 24, 'mac', '', 'mtu', 1500, 'up', json('true')))`
  await db.run(sql`insert into devices (serial, model, activation_hash, created_at)
    ${n} select ${prefix} || i, 'NL', '', 0 from n`)
  await db.run(sql`insert into routers (account_id, name, router_type, device_id, created_at, hub)
    ${n} select ${main.accountId}, ${prefix} || i, 1, d.id, 0, 'default.' || lower(hex(randomblob(16)))
    from n join devices d on d.serial = ${prefix} || i`)
  await db.run(sql`insert into router_states (router_id, interfaces)
    select id, ${ports(sql`id % 60000`)} from routers where name like ${`${prefix}%`}`)
  await db.run(sql`insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
    select account_id, (select id from networks where number = ${number}), id, 'point', 10 + row_number() over (), 0
    from routers where name like ${`${prefix}%`}`)
  const points = Array.from({ length: POINTS }, (_, i) => `${prefix}${i + 1}`)
  return { main, number, center: routers[0]!, joining: routers[1]!, points }
}

interface Cost {
  readonly read: number
  readonly written: number
}

it('an edit of one member among 2,000 writes and notifies only what changed', async () => {
  const { main, number, center, joining, points } = await createLargeNetwork()
  const by = { token: main.token }
  /** Rows of the write's two trips, and which hubs were notified. */
  const measure = async (run: () => Promise<{ readonly code: number; readonly trips: number }>) => {
    const [since, at] = [hubCalls.length, trips.length]
    expect(await run()).toMatchObject({ code: 200, trips: 2 })
    const [plan, write] = trips.slice(at)
    return { plan: plan!, write: write!, hubs: hubCalls.slice(since).map(({ hub }) => hub) }
  }
  const rest = { network_number: number, network_name: '大网', center: [center.name] }
  const network_number = number
  const writes = {
    renamed: () => call(networkApi.edit, { ...rest, point: points }, by),
    added: () => call(networkApi.edit, { ...rest, point: [...points, joining.name] }, by),
    removed: () => call(networkApi.edit, { ...rest, point: points }, by),
    addedAlone: () =>
      call(networkApi.addMember, { network_number, router_name: joining.name, member_type: 'point' }, by),
    removedAlone: () => call(networkApi.removeMember, { network_number, router_name: joining.name }, by),
  }
  const costs = new Map<string, Awaited<ReturnType<typeof measure>>>()
  for (const [what, write] of Object.entries(writes)) costs.set(what, await measure(write))
  const { hub } = await networkRow(number)
  const moved = [hub, center.hub, joining.hub].toSorted()
  expect([...costs.values()].map(({ hubs }) => hubs.toSorted())).toEqual([[hub], moved, moved, moved, moved])
  for (const { plan, write } of costs.values()) {
    expect(write.written).toBeLessThanOrEqual(WRITTEN)
    expect(write.read).toBeLessThanOrEqual(READ_OF_A_MEMBER.write * POINTS)
    expect(plan.read).toBeLessThanOrEqual(READ_OF_A_MEMBER.plan * POINTS)
  }
  expect(costs.get('removedAlone')?.write.read).toBeLessThanOrEqual(1.1 * POINTS)
})
