import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerStates } from '#db/schema/routers.ts'
import {
  createRouter,
  createFleet,
  createNetwork,
  lanPort,
  selectAudits,
  memberRows,
  networkRow,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

/** A network of one centre, and two routers with the same LAN that are in none. */
async function createRace() {
  const { main, routers } = await createFleet({ hardware: 3 })
  const lans = ['192.168.1.1/24']
  const [a, b] = [await createRouter(main.accountId, { lans }), await createRouter(main.accountId, { lans })]
  const number = await createNetwork(main, [routers[0]!])
  const add = (router_name: string) => ({ network_number: number, router_name, member_type: 'point' as const })
  return { main, number, center: routers[0]!, others: routers.slice(1), a, b, add }
}

/** The Worker, with something happening between what a call reads and what it writes. */
const interrupted = (happen: () => PromiseLike<unknown>) => createTestWorker({ afterFirstTrip: happen })

describe('design 12 · members with the same LAN', () => {
  it('added in parallel: one is accepted, also when both have read before', async () => {
    for (let round = 0; round < 3; round++) {
      const { main, number, a, b, add } = await createRace()
      const replies = await Promise.all([a, b].map(({ name }) => main.call(networkApi.addMember, add(name))))
      expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 422])
      expect(await memberRows(number)).toHaveLength(2)
    }
  })

  it('added between reading and writing: reads again, and names both', async () => {
    const { main, number, a, b, add } = await createRace()
    const { call } = interrupted(() => main.call(networkApi.addMember, add(a.name)))
    const owners = { a: a.name, segment_a: '192.168.1.0/24', b: b.name, segment_b: '192.168.1.0/24' }
    const reply = await call(networkApi.addMember, add(b.name), main.token)
    expect(reply).toMatchObject({ ...refusal('SEGMENT_CONFLICT', owners), trips: 3 }) // two reads and the write between
    expect(await memberRows(number)).toHaveLength(2)
    expect(await networkRow(number)).toMatchObject({ revision: 2 })
    expect(await selectAudits(main.accountId)).toHaveLength(2)
  })

  it('an edit that brings one, and an edit that brings the other: the later replaces the earlier', async () => {
    const { main, number, center, a, b } = await createRace()
    const plan = { network_number: number, network_name: '测试网', center: [center.name] }
    const replies = await Promise.all([a, b].map(({ name }) => main.call(networkApi.edit, { ...plan, point: [name] })))
    expect(replies.map(({ code }) => code)).toEqual([200, 200])
    expect(await memberRows(number)).toHaveLength(2)
  })

  it('a centre’s own segments count too', async () => {
    const { main, number, others } = await createRace()
    const inside = await createRouter(main.accountId)
    const [second] = others
    const { call } = interrupted(async () => {
      await main.call(networkApi.addMember, {
        network_number: number,
        router_name: second!.name,
        member_type: 'center',
      })
      const interfaces = JSON.stringify([lanPort('100.64.32.9/29', 0)]) // in the pair that this centre has got
      await db.insert(routerStates).values({ routerId: inside.id, interfaces })
    })
    const input = { network_number: number, router_name: inside.name, member_type: 'point' as const }
    const reply = await call(networkApi.addMember, input, main.token)
    expect(reply.msg).toContain('网段冲突')
  })
})

it('members whose LANs differ do not conflict', async () => {
  const { main } = await createFleet({ memberQuota: 30, hardware: 0 })
  const center = await createRouter(main.accountId)
  const points = await Promise.all(
    Array.from({ length: 20 }, (_, i) => createRouter(main.accountId, { lans: [`10.0.${i}.1/24`] })),
  )
  const number = await createNetwork(main, [center])
  const replies = await Promise.all(
    points.map(({ name }) =>
      main.call(networkApi.addMember, { network_number: number, router_name: name, member_type: 'point' }),
    ),
  )
  expect(replies.filter(({ code }) => code !== 200)).toEqual([])
})
