import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { withBatch } from '#infra/bench/cost/metered/with-batch.ts'
import { createFleet, createNetwork, networkRow } from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'

const POINTS = 1_990

/** Rows of a write with its audit and outbox rows, indexes included. */
const WRITTEN = 30
/** Rows that are read for each member: what it reports, whom its networks meet, and the counts that quotas compare. */
const READ_OF_A_MEMBER = { plan: 19, write: 4.1 } as const

/** Rows that D1 charges for, of each trip. */
const trips: Cost[] = []
const DB = withBatch(env.DB!, (run) => async (statements: D1PreparedStatement[]) => {
  const results = await run(statements)
  const sum = (rows: 'rows_read' | 'rows_written') => results.reduce((total, { meta }) => total + meta[rows], 0)
  trips.push({ read: sum('rows_read'), written: sum('rows_written') })
  return results
})
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
type LargeNetwork = Awaited<ReturnType<typeof createLargeNetwork>>

const edit = ({ main, number, center }: LargeNetwork, point: string[]) => {
  const input = { network_number: number, network_name: '大网', center: [center.name], point }
  return call(networkApi.edit, input, { token: main.token })
}
const addAlone = ({ main, number, joining }: LargeNetwork) => {
  const input = { network_number: number, router_name: joining.name, member_type: 'point' } as const
  return call(networkApi.addMember, input, { token: main.token })
}
const removeAlone = ({ main, number, joining }: LargeNetwork) =>
  call(networkApi.removeMember, { network_number: number, router_name: joining.name }, { token: main.token })

interface Write {
  /** Rows that its batch reads for each member, where these are fewer than READ_OF_A_MEMBER.write. */
  readonly readOfAMember?: number
  readonly isMemberBefore: boolean
  readonly changesMembers: boolean
  readonly run: (network: LargeNetwork) => Promise<{ readonly code: number; readonly trips: number }>
}
const WRITES: readonly (readonly [what: string, write: Write])[] = [
  ['a rename', { isMemberBefore: false, changesMembers: false, run: (network) => edit(network, network.points) }],
  [
    'a member that network/edit adds',
    {
      isMemberBefore: false,
      changesMembers: true,
      run: (network) => edit(network, [...network.points, network.joining.name]),
    },
  ],
  [
    'a member that network/edit removes',
    { isMemberBefore: true, changesMembers: true, run: (network) => edit(network, network.points) },
  ],
  ['a member that network/add_member adds', { isMemberBefore: false, changesMembers: true, run: addAlone }],
  [
    'a member that network/remove_member removes',
    { isMemberBefore: true, changesMembers: true, readOfAMember: 1.1, run: removeAlone },
  ],
]

describe('network 7 · a write to a network of 2,000 members', () => {
  it.each(WRITES)('%s writes and notifies only what changed', async (_, write) => {
    const network = await createLargeNetwork()
    if (write.isMemberBefore) await addAlone(network)
    const [called, tripped] = [hubCalls.length, trips.length]
    expect(await write.run(network)).toMatchObject({ code: 200, trips: 2 })
    const { hub } = await networkRow(network.number)
    const members = write.changesMembers ? [network.center.hub, network.joining.hub] : []
    const notified = hubCalls.slice(called).map((notice) => notice.hub)
    expect(notified.toSorted()).toEqual([hub, ...members].toSorted())
    const [plan, batch] = trips.slice(tripped)
    expect(plan!.read).toBeLessThanOrEqual(READ_OF_A_MEMBER.plan * POINTS)
    expect(batch!.read).toBeLessThanOrEqual((write.readOfAMember ?? READ_OF_A_MEMBER.write) * POINTS)
    expect(batch!.written).toBeLessThanOrEqual(WRITTEN)
  })
})
