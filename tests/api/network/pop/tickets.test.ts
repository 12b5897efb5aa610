import { beforeAll, describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { networks } from '#db/schema/networks.ts'
import { networkTickets } from '#db/schema/pop.ts'
import { eq } from 'drizzle-orm'
import { networkApi } from '#contract/network/index.ts'
import { createFleet, createNetwork, createSubAccount, selectAudits } from '#tests/support/fixtures.ts'
import { type TestPop, createPop, createTicket, setTicketStatus, ticketRow } from '#tests/support/pop.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

let pop: TestPop
let other: TestPop
beforeAll(async () => {
  pop = await createPop()
  other = await createPop()
})

async function createCustomer() {
  const { main, routers, apps } = await createFleet()
  const number = await createNetwork(main, [...routers.slice(0, 3), apps[0]!])
  return { main, routers, apps, number }
}
const form = (over: object = {}) => ({ pop: [pop.id], expired_time: 2, bandwidth: 50, ...over })

describe('network 3 · ticket config', () => {
  it('offers areas that are not disabled, and the members of the network', async () => {
    const { main, number, routers } = await createCustomer()
    const closed = await createPop()
    await call(opsApi.disablePop, { name: closed.name })
    const { data, trips } = await main.call(networkApi.ticketConfig, { network_number: number, type: 1001 })
    expect(trips).toBe(1)
    expect(data.ticket).toMatchObject({
      bandwidth: { min: 1, max: 200 },
      expired_time: [{ value: 1 }, { value: 2 }, { value: 3 }],
    })
    expect(data.ticket.pop).toContainEqual({ value: pop.id, name: pop.name })
    expect(data.ticket.pop.map(({ value }) => value)).not.toContain(closed.id)
    expect(data.member).toHaveLength(4)
    expect(data.member[0]).toEqual({ router_name: routers[0]!.name, note: '' })
    expect(data.refused).toBeNull()
  })

  it('says why a network cannot be ordered for, as the order would', async () => {
    const { main, number } = await createCustomer()
    const refused = async () => {
      const config = await main.call(networkApi.ticketConfig, { network_number: number, type: 1001 })
      const order = await main.call(networkApi.ticket, { network_number: number, ticket: form(), pop_conf: {} })
      expect(config).toMatchObject({ code: 200, trips: 1, data: { refused: { reason: order.reason, msg: order.msg } } })
      return config.data.refused
    }
    const ticket = await createTicket(main, number, [pop])
    expect(await refused()).toMatchObject({ reason: 'NETWORK_TICKET_OPEN', network_ticket_number: ticket })
    await call(opsApi.startNetworkTicket, { number: ticket })
    expect(await refused()).toMatchObject({ reason: 'NETWORK_TICKET_OPEN', network_ticket_number: ticket })
    await call(opsApi.completeNetworkTicket, { number: ticket })
    expect(await refused()).toMatchObject({ reason: 'NETWORK_FR_EXISTS', network_ticket_number: '' })
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, number))
    expect(await refused()).toMatchObject({ reason: 'NETWORK_SUSPENDED' })
  })
})

describe('network 5 · POP ticket', () => {
  it('is made with its members by area, once for a network', async () => {
    const { main, number, routers } = await createCustomer()
    const names = routers.slice(0, 2).map(({ name }) => name)
    const input = {
      network_number: number,
      network_ticket_type: 1001,
      ticket: form({ pop: [String(other.id), pop.id], bandwidth: '150' }), // numbers may come as text
      pop_conf: { [pop.id]: names },
    }
    const made = await main.call(networkApi.ticket, input)
    expect(made).toMatchObject({ code: 200, msg: '提交成功', trips: 2 })
    const { data, trips } = await main.call(networkApi.ticketView, made.data)
    expect(trips).toBe(1)
    expect(data).toMatchObject({
      ...made.data,
      network_number: number,
      network_name: '测试网',
      network_ticket_type: 1001,
      network_ticket_status: 1,
      complete_time: null,
      service_name: '接入POP',
      attributes: {
        bandwidth: 150,
        expired_time: 2,
        pop: [pop, other].map(({ id, name }) => ({ value: id, name })),
        pop_conf: { [pop.id]: names, [other.id]: [] },
      },
      member: names.map((router_name) => ({ router_name, note: '' })),
    })
    expect(await main.call(networkApi.ticket, input)).toMatchObject(refusal('NETWORK_TICKET_OPEN'))
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'ticket',
      target: made.data.network_ticket_number,
      message: '为组网“测试网”提交接入POP工单',
    })
  })

  it('of two submits at once one is made', async () => {
    const { main, number } = await createCustomer()
    const input = { network_number: number, ticket: form(), pop_conf: {} }
    const replies = await Promise.all([main.call(networkApi.ticket, input), main.call(networkApi.ticket, input)])
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 422])
  })

  it.each([
    ['no area', { pop: [] }, '至少选择一个'],
    ['an area twice', { pop: [1, 1] }, '区域不能重复'],
    ['too little bandwidth', { bandwidth: 0 }, '带宽取值范围在1~200'],
    ['too much bandwidth', { bandwidth: 201 }, '带宽取值范围在1~200'],
    ['a term that is not offered', { expired_time: 9 }, '请选择有效期'],
  ])('with %s is refused', async (_, over, msg) => {
    const { main, number } = await createCustomer()
    const reply = await main.call(networkApi.ticket, { network_number: number, ticket: form(over), pop_conf: {} })
    expect(reply).toMatchObject({ code: 422, msg })
  })

  it('is not made for a network or a member that goes meanwhile', async () => {
    const { main, number, routers } = await createCustomer()
    const target = { network_number: number }
    const gone = routers[1]!.name
    const during = (happen: () => PromiseLike<unknown>, names: string[]) => {
      const input = { ...target, ticket: form(), pop_conf: { [String(pop.id)]: names } }
      return createTestWorker({ afterFirstTrip: happen }).call(networkApi.ticket, input, main.token)
    }
    const removed = await during(() => main.call(networkApi.removeMember, { ...target, router_name: gone }), [gone])
    expect(removed).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    const deleted = await during(() => main.call(networkApi.delete, target), [])
    expect(deleted).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await db.$count(networkTickets, eq(networkTickets.networkNumber, number))).toBe(0)
  })

  it('is refused for an area that is not offered, a stranger’s member, a suspended network', async () => {
    const { main, number } = await createCustomer()
    const { routers: strangers } = await createCustomer()
    const order = (ticket: ReturnType<typeof form>, pop_conf = {}) =>
      main.call(networkApi.ticket, { network_number: number, ticket, pop_conf })
    expect(await order(form({ pop: [999_999] }))).toMatchObject(refusal('POP_NOT_OFFERED'))
    const foreign = { [pop.id]: [strangers[0]!.name] }
    expect(await order(form(), foreign)).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, number))
    expect(await order(form())).toMatchObject(refusal('NETWORK_SUSPENDED'))
  })
})

describe('network 4 · cancel and delete', () => {
  it.each([
    [1, 'NETWORK_TICKET_NOT_CANCELLABLE', '未处理', 200],
    [2, 200, '处理中', 'NETWORK_TICKET_NOT_DELETABLE'],
    [3, 200, '已完成', 'NETWORK_TICKET_NOT_DELETABLE'],
    [4, 'NETWORK_TICKET_NOT_CANCELLABLE', '已取消', 200],
  ] as const)('in status %i', async (status, cancelled, word, deleted) => {
    const { main, number } = await createCustomer()
    const expected = (result: typeof cancelled | typeof deleted, msg: string) =>
      result === 200 ? { code: 200, msg, trips: 2 } : { ...refusal(result, { status: word }), trips: 1 }
    const ticket = await createTicket(main, number, [pop])
    const input = { network_ticket_number: ticket }
    await setTicketStatus(ticket, status)
    expect(await main.call(networkApi.ticketDelete, input)).toMatchObject(expected(deleted, '删除成功'))
    expect((await ticketRow(ticket))?.status).toBe(deleted === 200 ? undefined : status)
    if (deleted === 200) return
    expect(await main.call(networkApi.ticketCancel, input)).toMatchObject(expected(cancelled, '取消成功'))
    expect((await ticketRow(ticket))?.status).toBe(4)
  })

  it('cancel is refused in words while nobody has begun', async () => {
    const { main, number } = await createCustomer()
    const input = { network_ticket_number: await createTicket(main, number, [pop]) }
    expect(await main.call(networkApi.ticketCancel, input)).toMatchObject({
      ...refusal('NETWORK_TICKET_NOT_CANCELLABLE', { status: '未处理' }),
      trips: 1,
    })
  })

  it('of two at once the second is refused', async () => {
    const { main, number } = await createCustomer()
    const ticket = await createTicket(main, number, [pop])
    const input = { network_ticket_number: ticket }
    const replies = await Promise.all([
      main.call(networkApi.ticketDelete, input),
      call(opsApi.startNetworkTicket, { number: ticket }),
    ])
    const row = await ticketRow(ticket)
    expect(replies.map(({ code }) => code).filter((code) => code === 200)).toHaveLength(1)
    expect(row?.status).toBe(replies[0].code === 200 ? undefined : 2)
  })
})

describe('network 2 · network ticket list', () => {
  it('is searched by ticket and network number, and narrowed by status and time', async () => {
    const { main, number, routers } = await createCustomer()
    const second = await createNetwork(main, routers.slice(3, 4), '二网')
    const [a, b] = [await createTicket(main, number, [pop]), await createTicket(main, second, [pop])]
    await setTicketStatus(b, 3)
    await db
      .update(networkTickets)
      .set({ createdAt: Date.parse('2026-03-02T01:00:00Z') })
      .where(eq(networkTickets.number, a))
    const found = async (query: object) => {
      const { data, count } = await main.call(networkApi.ticketLists, query)
      expect(count).toBe(data.length)
      return data.map((row) => row.network_ticket_number)
    }
    expect(await found({})).toEqual([b, a])
    expect(await found({ search: a.slice(2) })).toEqual([a])
    expect(await found({ search: second })).toEqual([b])
    expect(await found({ status: '3' })).toEqual([b])
    expect(await found({ start_time: '2026-03-01', end_time: '2026-03-02' })).toEqual([a])
    expect(await found({ end_time: '2026-03-01' })).toEqual([])
  })

  it('shows a limited role the tickets of its networks only; it cancels and deletes no other', async () => {
    const { main, number, routers } = await createCustomer()
    const second = await createNetwork(main, routers.slice(3, 4), '二网')
    const [a, b] = [await createTicket(main, number, [pop]), await createTicket(main, second, [pop])]
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: [second] })
    const { data, count } = await limited.call(networkApi.ticketLists, {})
    expect([data.map((row) => row.network_ticket_number), count]).toEqual([[b], 1])
    const input = { network_ticket_number: a }
    for (const spec of [networkApi.ticketView, networkApi.ticketCancel, networkApi.ticketDelete])
      expect(await limited.call(spec, input)).toMatchObject(refusal('NETWORK_TICKET_NOT_FOUND'))
    expect(await limited.call(networkApi.ticketDelete, { network_ticket_number: b })).toMatchObject({ code: 200 })
  })
})
