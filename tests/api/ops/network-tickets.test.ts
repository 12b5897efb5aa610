import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { messages } from '#db/schema/notices.ts'
import type { OutboxEntry } from '#contract/kernel/hubs.ts'
import { networkApi } from '#contract/network/index.ts'
import { lapseResources } from '#jobs/expiry.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers } from '#db/schema/pop.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  memberRows,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createPop, createTicket, setTicketStatus, ticketRow } from '#tests/support/pop.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const DAY_MS = 86_400_000

async function createOrder() {
  const { main, routers, apps } = await createFleet()
  const network = await createNetwork(main, [...routers.slice(0, 3), apps[0]!])
  const pops = [await createPop(), await createPop()]
  const number = await createTicket(main, network, pops, { [pops[0]!.id]: [routers[1]!.name, apps[0]!.name] })
  return { main, routers, apps, network, pops, number }
}
const messagesOf = (accountId: number) =>
  db.select().from(messages).where(eq(messages.accountId, accountId)).orderBy(messages.id)
const nodesOf = async (network: string) =>
  db
    .select()
    .from(popMembers)
    .where(eq(popMembers.networkId, (await networkRow(network)).id))
    .orderBy(popMembers.id)

describe('network 4 · steps of the operator', () => {
  it('the order is listed, started and completed, each with a message and a note', async () => {
    const { main, number, network } = await createOrder()
    const listed = await call(opsApi.listNetworkTickets, {})
    expect(listed.data.find((row) => row.number === number)).toMatchObject({
      account: main.username,
      network_number: network,
      status: 1,
    })
    const since = hubCalls.length
    const started = await call(opsApi.startNetworkTicket, { number, note: '预计两个工作日' })
    expect(started).toMatchObject({ code: 200 })
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    expect(await ticketRow(number)).toMatchObject({ status: 2, note: '预计两个工作日', completedAt: null })
    expect(await call(opsApi.completeNetworkTicket, { number })).toMatchObject({ code: 200 })
    expect((await ticketRow(number))?.completedAt).toBeGreaterThan(0)
    expect((await messagesOf(main.accountId)).map(({ type, title, content }) => [type, title, content])).toEqual([
      ['工单', '组网工单已开始处理', `组网“测试网”的接入POP工单（${number}）已开始处理。说明：预计两个工作日`],
      ['工单', '组网工单已完成', `组网“测试网”的接入POP工单（${number}）已完成。`],
    ])
    const again = await call(opsApi.listNetworkTickets, {})
    expect(again.data.map((row) => row.number)).not.toContain(number)
  })

  it.each([
    ['startNetworkTicket', [1], 2],
    ['completeNetworkTicket', [2], 3],
    ['cancelNetworkTicket', [1, 2, 3], 4],
  ] as const)('%s works from %j only', async (step, from, to) => {
    const { number } = await createOrder()
    for (const status of [1, 2, 3, 4] as const) {
      await setTicketStatus(number, status)
      const reply = await call(opsApi[step], { number })
      const isAllowed = (from as readonly number[]).includes(status)
      expect(reply).toMatchObject(isAllowed ? { code: 200 } : { code: 422, reason: 'NETWORK_TICKET_STEP' })
      expect((await ticketRow(number))?.status).toBe(isAllowed ? to : status)
    }
  })

  it('two completions at once make one resource', async () => {
    const { main, number } = await createOrder()
    await setTicketStatus(number, 2)
    const replies = await Promise.all([1, 2].map(() => call(opsApi.completeNetworkTicket, { number })))
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 422])
    const frs = await db.select().from(networkFrs).where(eq(networkFrs.accountId, main.accountId))
    expect(frs).toHaveLength(1)
  })
})

describe('network 2 · completion of an order', () => {
  it('makes resource, areas, nodes and main areas in one batch', async () => {
    const { main, routers, apps, network, pops, number } = await createOrder()
    await setTicketStatus(number, 2)
    const since = hubCalls.length
    const done = await call(opsApi.completeNetworkTicket, { number, name: '骨干接入', shortname: '骨干' })
    expect(done).toMatchObject({ code: 200 })
    const { data } = await main.call(networkApi.info, { network_number: network })
    const { network_fr_id } = done.data
    expect(data).toMatchObject({
      network_type: 3,
      fr_name: '骨干接入',
      network_fr: { network_fr_id, shortname: '骨干' },
      revision: 2,
    })
    const { data: areas } = await main.call(networkFrApi.ov, { network_number: network })
    expect(areas.map(({ name }) => name)).toEqual(pops.map(({ name }) => name))
    const byName = Object.fromEntries(data.member.map((m) => [m.router_name, m.ov_id]))
    const main1 = { main: areas[0]!.id, backup: null, main_name: pops[0]!.name, backup_name: '', priority: 3 }
    expect([byName[routers[1]!.name], byName[apps[0]!.name]]).toEqual([main1, main1])
    expect(byName[routers[2]!.name]).toMatchObject({ main: null })
    const nodes = await nodesOf(network)
    expect(nodes.map(({ routerId, areaId }) => [routerId, areaId])).toEqual(
      pops.map(({ node }, i) => [node.id, areas[i]!.id]),
    )
    expect(refreshed(since)).toEqual(toHubs(...routers.slice(0, 2), ...pops.map(({ node }) => node)))
  })

  it('ends when the operator says, which may not be over', async () => {
    const { main, number } = await createOrder()
    await setTicketStatus(number, 2)
    const over = await call(opsApi.completeNetworkTicket, { number, expired_time: Date.now() - 1 })
    expect(over).toMatchObject({ code: 422, data: { field: 'expired_time' } })
    await call(opsApi.completeNetworkTicket, { number, expired_time: Date.now() + 20 * DAY_MS })
    const { data } = await main.call(networkFrApi.lists, {})
    expect(data).toMatchObject([{ expire_day: 20 }])
  })

  it('gives nodes indexes that no centre holds, and centres none that a node holds', async () => {
    const { main, routers, network, number } = await createOrder()
    await setTicketStatus(number, 2)
    await call(opsApi.completeNetworkTicket, { number })
    const second = await createNetwork(main, routers.slice(3, 4), '二网')
    const indexes = [
      ...(await memberRows(network)).map((row) => row.segmentIndex),
      ...(await nodesOf(network)).map((row) => row.segmentIndex),
      ...(await memberRows(second)).map((row) => row.segmentIndex),
    ].filter((index) => index !== null)
    expect(indexes).toHaveLength(4)
    expect(new Set(indexes).size).toBe(4)
  })

  it('is refused while an area has no node, and once the network is gone', async () => {
    const { network, number, pops } = await createOrder()
    await setTicketStatus(number, 2)
    await call(opsApi.popNode, { name: pops[0]!.name, serial: pops[0]!.node.name, status: 0 })
    const reply = await call(opsApi.completeNetworkTicket, { number })
    expect(reply).toMatchObject(refusal('POP_NODE_MISSING', { pop: pops[0]!.name }))
    await db
      .update(networks)
      .set({ number: `x${network}` })
      .where(eq(networks.number, network))
    expect(await call(opsApi.completeNetworkTicket, { number })).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await ticketRow(number)).toMatchObject({ status: 2, frId: null })
  })

  it.each([1, 2] as const)('is cancelled with its network: in status %i', async (status) => {
    const { main, network, number } = await createOrder()
    await setTicketStatus(number, status)
    expect(await main.call(networkApi.delete, { network_number: network })).toMatchObject({ code: 200, trips: 2 })
    expect(await ticketRow(number)).toMatchObject({ status: 4, note: '组网已删除' })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      message: `删除组网“测试网”，并取消接入POP工单${number}`,
    })
    expect((await call(opsApi.listNetworkTickets, {})).data.map((row) => row.number)).not.toContain(number)
    expect((await call(opsApi.startNetworkTicket, { number })).reason).toBe('NETWORK_TICKET_STEP')
  })

  it('a network without a centre gets what it orders: its members reach each other over the nodes', async () => {
    const main = await createMainAccount({ services: { network_member: 10 } })
    const one = await createRouter(main.accountId, { lans: ['10.1.0.0/24'] })
    const other = await createRouter(main.accountId, { lans: ['10.2.0.0/24'] })
    const { data } = await main.call(networkApi.create, {
      network_name: '直连',
      network_type: 2,
      center: [],
      point: [one.name, other.name],
    })
    const { network_number } = data
    const pops = [await createPop(), await createPop()]
    const conf = { [pops[0]!.id]: [one.name], [pops[1]!.id]: [other.name] }
    const number = await createTicket(main, network_number, pops, conf)
    await call(opsApi.startNetworkTicket, { number })
    expect(await call(opsApi.completeNetworkTicket, { number })).toMatchObject({ code: 200 })
    const routes = await main.call(networkApi.routes, { network_number, router_name: one.name, search: '10.' })
    expect(routes.data).toContainEqual(
      expect.objectContaining({ prefix: expect.stringMatching(/^10/), router_name: other.name, state: 'chosen' }),
    )
  })

  it('closes the network to a further order', async () => {
    const { main, network, number, pops } = await createOrder()
    await setTicketStatus(number, 2)
    await call(opsApi.completeNetworkTicket, { number, name: '骨干' })
    const ticket = { pop: [pops[0]!.id], expired_time: 1, bandwidth: 50 }
    const again = await main.call(networkApi.ticket, { network_number: network, ticket, pop_conf: {} })
    expect(again).toMatchObject(refusal('NETWORK_FR_EXISTS', { name: '骨干' }))
  })

  it('cancelling and deleting it keeps the resource, which is renewed and withdrawn by itself', async () => {
    const { main, routers, network, number, pops } = await createOrder()
    await setTicketStatus(number, 2)
    const { network_fr_id } = (await call(opsApi.completeNetworkTicket, { number })).data
    const listed = async () =>
      (await call(opsApi.listNetworkFrs, {})).data.find((fr) => fr.network_fr_id === network_fr_id)
    expect(await listed()).toMatchObject({ ticket_number: number, network_number: [network], withdrawal_due: 0 })
    await main.call(networkApi.ticketCancel, { network_ticket_number: number })
    expect((await networkRow(network)).frId).not.toBeNull()
    expect(await listed()).toMatchObject({ account: main.username, ticket_number: '', withdrawal_due: 1 })
    await main.call(networkApi.ticketDelete, { network_ticket_number: number })
    expect(await call(opsApi.renewNetworkFr, { network_fr_id, expired_time: 1 })).toMatchObject({ code: 200 })
    const since = hubCalls.length
    expect(await call(opsApi.withdrawNetworkFr, { network_fr_id })).toMatchObject({ code: 200 })
    expect(await listed()).toBeUndefined()
    expect((await networkRow(network)).frId).toBeNull()
    expect(await nodesOf(network)).toEqual([])
    const { data } = await main.call(networkApi.info, { network_number: network })
    expect(data).toMatchObject({ network_type: 1, network_fr: null })
    expect(data.member.map((m) => m.ov_id.main)).toEqual([null, null, null, null])
    expect(refreshed(since)).toEqual(toHubs(...routers.slice(0, 2), ...pops.map(({ node }) => node)))
    expect((await messagesOf(main.accountId)).at(-1)).toMatchObject({ title: 'POP资源已撤销' })
  })

  it('its bandwidth is set by area, and read again by all that name it', async () => {
    const { main, routers, network, number, pops } = await createOrder()
    await setTicketStatus(number, 2)
    const { network_fr_id } = (await call(opsApi.completeNetworkTicket, { number })).data
    const before = await networkRow(network)
    const since = hubCalls.length
    const set = { network_fr_id, name: pops[0]!.name, bandwidth: 100 }
    expect(await call(opsApi.networkFrBandwidth, set)).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual(toHubs(...routers.slice(0, 2), ...pops.map(({ node }) => node)))
    const areas = await db.select().from(networkFrAreas).where(eq(networkFrAreas.frId, network_fr_id))
    expect(areas.toSorted((a, b) => a.popId - b.popId).map(({ bandwidth }) => bandwidth)).toEqual([100, 50])
    expect((await networkRow(network)).revision).toBe(before.revision + 1)
    expect((await messagesOf(main.accountId)).at(-1)?.title).toBe(`POP资源已调整“${pops[0]!.name}”的带宽为100M`)
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ action: 'network_fr/bandwidth' })
    const other = await createPop()
    for (const [change, key] of [
      [{ ...set, name: other.name }, 'POP_NOT_FOUND'],
      [{ ...set, network_fr_id: 999_999 }, 'NETWORK_FR_NOT_FOUND'],
    ] as const)
      expect(await call(opsApi.networkFrBandwidth, change)).toMatchObject(refusal(key))
    expect(await call(opsApi.networkFrBandwidth, { ...set, bandwidth: 201 })).toMatchObject({
      code: 422,
      data: { field: 'bandwidth' },
    })
  })

  it('withdrawing it cancels its order', async () => {
    const { number } = await createOrder()
    await setTicketStatus(number, 2)
    const { network_fr_id } = (await call(opsApi.completeNetworkTicket, { number })).data
    await call(opsApi.withdrawNetworkFr, { network_fr_id, note: '退款' })
    expect(await ticketRow(number)).toMatchObject({ status: 4, note: '退款' })
  })

  it('its term ends with the cron, is seen in the list, and goes on with a renewal', async () => {
    const { main, routers, network, number, pops } = await createOrder()
    await setTicketStatus(number, 2)
    const done = await call(opsApi.completeNetworkTicket, { number })
    const { network_fr_id: id } = done.data
    const lapse = async () => {
      const ctx = { db, now: Date.now(), runId: 'run', hubOutbox: [] as OutboxEntry[] }
      await lapseResources(ctx)
      return ctx.hubOutbox.map(({ hub }) => hub)
    }
    expect(await lapse()).toEqual([])
    const day = async () => (await main.call(networkFrApi.lists, {})).data[0]?.expire_day
    expect(await day()).toBeGreaterThan(364)
    await db.update(networkFrs).set({ createdAt: 1, expireAt: 2 }).where(eq(networkFrs.id, id))
    const before = await networkRow(network)
    const concerned = toHubs(...routers.slice(0, 2), ...pops.map(({ node }) => node))
    expect((await lapse()).toSorted()).toEqual([...concerned, before.hub].toSorted())
    expect(await lapse()).toEqual([])
    expect(await day()).toBe(0)
    expect(await networkRow(network)).toMatchObject({ frId: id, revision: before.revision + 1 })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ action: 'lapse', actorKind: 'system' })

    const since = hubCalls.length
    expect(await call(opsApi.renewNetworkFr, { network_fr_id: id, expired_time: 2 })).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual(concerned)
    expect(await day()).toBeGreaterThan(729)
    expect((await messagesOf(main.accountId)).at(-1)).toMatchObject({ title: 'POP资源已续期' })
    await call(opsApi.withdrawNetworkFr, { network_fr_id: id })
    for (const again of [
      await call(opsApi.renewNetworkFr, { network_fr_id: id, expired_time: 1 }),
      await call(opsApi.withdrawNetworkFr, { network_fr_id: id }),
    ])
      expect(again).toMatchObject(refusal('NETWORK_FR_NOT_FOUND'))
  })

  it('a network that is deleted leaves its nodes', async () => {
    const { main, network, number, pops } = await createOrder()
    await setTicketStatus(number, 2)
    await call(opsApi.completeNetworkTicket, { number })
    const { id } = await networkRow(network)
    const since = hubCalls.length
    await main.call(networkApi.delete, { network_number: network })
    expect(await db.select().from(popMembers).where(eq(popMembers.networkId, id))).toEqual([])
    expect(refreshed(since)).toContain(pops[0]!.node.hub)
  })
})
