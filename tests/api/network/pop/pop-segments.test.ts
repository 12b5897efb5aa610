import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { popMembers } from '#db/schema/pop.ts'
import { defaultSegments } from '#domain/network/addresses/segments.ts'
import {
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  memberRows,
} from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

const segment = (gateway: string, mask = 24) => ({ gateway, mask })

/** A network with one POP node, which holds the default segments of its subnet index. */
async function createPopNetwork() {
  const main = await createMainAccount({ services: { network_member: 50, center: 4 } })
  const center = await createRouter(main.accountId, { note: '总部' })
  const point = await createRouter(main.accountId, { note: '一店' })
  const app = await createSoftwareRouter(main.accountId)
  const network_number = await createNetwork(main, [center, point, app], '一区')
  const pop = await createPop()
  const ticket = await createTicket(main, network_number, [pop])
  await call(opsApi.startNetworkTicket, { number: ticket })
  await call(opsApi.completeNetworkTicket, { number: ticket })
  const [row] = await db.select().from(popMembers).where(eq(popMembers.routerId, pop.node.id))
  return { main, center, point, app, network_number, node: defaultSegments(row!.segmentIndex) }
}
const gatewayOf = (text: string) => segment(text.split('/')[0]!, 20)

describe('network 5 · segments of POP nodes', () => {
  it('are taken: a centre’s segment over them is refused with their name and the next free one', async () => {
    const { main, center, network_number, node } = await createPopNetwork()
    const target = { network_number, router_name: center.name }
    const gateway = await main.call(networkApi.editCenterGateway, {
      ...target,
      router_network: gatewayOf(node.hardware),
    })
    expect(gateway).toMatchObject({ reason: 'SEGMENT_TAKEN', data: { field: 'router_network.gateway' } })
    expect(gateway.msg).toContain('POP节点的硬件网段')
    const router = { ...gatewayOf(node.software), start: '', end: '' }
    const pool = { network_number, center_network: [{ router_name: center.name, router }] }
    expect(await main.call(networkApi.editIpAddressPool, pool)).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      msg: expect.stringContaining('POP节点的软件网段'),
    })
  })

  it('are free once others were chosen, and come back only where nothing else lies there', async () => {
    const { main, center, network_number, node } = await createPopNetwork()
    const chosen = { network_number, pop: segment('10.210.0.0', 20), pop_software: segment('10.211.0.0', 20) }
    expect(await main.call(networkApi.editIpAddressPool, chosen)).toMatchObject({ code: 200 })
    const target = { network_number, router_name: center.name }
    const own = { ...target, router_network: gatewayOf(node.hardware) }
    expect(await main.call(networkApi.editCenterGateway, own)).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.editIpAddressPool, { network_number, pop: null })).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      data: { field: 'pop.gateway' },
    })
    expect(await main.call(networkApi.editIpAddressPool, { network_number, pop_software: null })).toMatchObject({
      code: 200,
    })
  })

  it('a LAN in one joins no network that the node carries', async () => {
    const { main, network_number, node } = await createPopNetwork()
    const lan = node.software.replace('/20', '/24')
    const shop = await createRouter(main.accountId, { note: '二店', lans: [lan] })
    const add = { network_number, router_name: shop.name, member_type: 'point' } as const
    expect(await main.call(networkApi.addMember, add)).toMatchObject({
      reason: 'SEGMENT_CONFLICT',
      msg: expect.stringContaining('POP节点的软件网段'),
    })
  })
})

describe('network 5 · hosts and POP nodes', () => {
  it('new members get hosts that have a place at the nodes', async () => {
    const { main, network_number } = await createPopNetwork()
    const pool = { network_number, pop: segment('10.210.0.0'), pop_software: segment('10.211.0.0') }
    expect(await main.call(networkApi.editIpAddressPool, pool)).toMatchObject({ code: 200 })
    const app = await createSoftwareRouter(main.accountId)
    await main.call(networkApi.addMember, { network_number, router_name: app.name, member_type: 'point' })
    const hostOf = async (id: number) => (await memberRows(network_number)).find((m) => m.routerId === id)?.host
    expect(await hostOf(app.id)).toBe(254)
  })

  it('members that dial a node are packed into its part once the person has said so', async () => {
    const { main, app, network_number } = await createPopNetwork()
    const [area] = (await main.call(networkFrApi.ov, { network_number })).data
    const ov = { ov_id_main: area!.id, ov_id_backup: 0, priority: 3 }
    await main.call(networkApi.memberOv, { network_number, router_name: app.name, ...ov })
    const set = (pack: 0 | 1) =>
      main.call(networkApi.editIpAddressPool, { network_number, pop_software: segment('10.211.0.0'), pack })
    expect(await set(0)).toMatchObject(refusal('HOSTS_OUTSIDE', { count: 1 }))
    expect(await set(1)).toMatchObject({ code: 200, trips: 2 })
    expect((await memberRows(network_number)).find((m) => m.routerId === app.id)?.host).toBe(254)
    expect(await main.call(networkApi.dns, { network_number, dns: ['10.0.0.53'] })).toMatchObject({ code: 200 })
  })
})
