import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { networkFrs } from '#db/schema/pop.ts'
import { createFleet, createNetwork, networkRow, selectAudits } from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'
import { eq } from 'drizzle-orm'
import { networkApi } from '#contract/network/index.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** A point and two centres in one network; a router of the account that is in none. */
async function createFixtures() {
  const fleet = await createFleet({ hardware: 4, memberQuota: 20 })
  const { main, routers, apps } = fleet
  const [center, twin, point, outside] = routers
  const { data } = await main.call(networkApi.create, {
    network_name: '测试网',
    center: [center!.name, twin!.name],
    point: [point!.name, apps[0]!.name],
  })
  await db
    .update(accounts)
    .set({ quagga: 1, defaultRoute: 1, quaggaAdvanced: 1 })
    .where(eq(accounts.id, main.accountId))
  const { network_number } = data
  return {
    main,
    network_number,
    center: center!,
    twin: twin!,
    point: point!,
    outside: outside!,
    pop: await createPop(),
  }
}
type Fixtures = Awaited<ReturnType<typeof createFixtures>>

const segment = { gateway: '172.30.0.0', mask: 30 }
/** Calls with every field that names a member of the network. */
const CALLS: readonly (readonly [string, Endpoint, (fixtures: Fixtures, name: string) => object])[] = [
  ['remove_member', networkApi.removeMember, (_, router_name) => ({ router_name })],
  ['re_send_config', networkApi.reSendConfig, (_, router_name) => ({ router_name })],
  ['quagga', networkApi.quagga, (_, router_name) => ({ router_name, enable: 1 })],
  ['default_route', networkApi.defaultRoute, (_, router_name) => ({ router_name, model: 1, metric: 30 })],
  ['software_mode', networkApi.softwareMode, (_, router_name) => ({ router_name, mode: 2 })],
  ['member_ov', networkApi.memberOv, (_, router_name) => ({ router_name, ov_id_main: 0 })],
  ['member_ov, members', networkApi.memberOv, (_, router_name) => ({ members: [{ router_name }] })],
  ['fixed_port', networkApi.fixedPort, (_, router_name) => ({ router_name, router_service: {} })],
  ['edit_center_gateway', networkApi.editCenterGateway, (_, router_name) => ({ router_name, router_network: null })],
  ['center_link', networkApi.centerLink, (_, center_router_name) => ({ center_router_name, ...segment })],
  [
    'edit_routing, main',
    networkApi.editRouting,
    ({ twin }, main_router) => ({ type: 2, main_router, secondary_router: twin.name }),
  ],
  [
    'edit_routing, backup',
    networkApi.editRouting,
    ({ twin }, secondary_router) => ({ type: 2, main_router: twin.name, secondary_router }),
  ],
  ['point_link', networkApi.pointLink, (_, router_name) => ({ router_name })],
  ['edit_point_link', networkApi.editPointLink, (_, router_name) => ({ router_name, link_config: [] })],
  [
    'edit_point_link, other end',
    networkApi.editPointLink,
    ({ point }, router_name) => ({ router_name: point.name, link_config: [{ router_name, ...segment }] }),
  ],
  [
    'edit_ip_address_pool',
    networkApi.editIpAddressPool,
    (_, router_name) => ({ center_network: [{ router_name, router: null }] }),
  ],
  ['routes', networkApi.routes, (_, router_name) => ({ router_name })],
  ['tunnels', networkApi.tunnels, (_, router_name) => ({ router_name })],
  [
    'ticket',
    networkApi.ticket,
    ({ pop: { id } }, router_name) => ({
      ticket: { pop: [id], expired_time: 1, bandwidth: 1 },
      pop_conf: { [String(id)]: [router_name] },
    }),
  ],
]

describe('network 6 · members of other networks and of other accounts are answered like unknown ones', () => {
  it('each call answers alike and changes nothing', async () => {
    const offenders = await findOffenders(CALLS)(async (_, spec, toInput) => {
      const fixtures = await createFixtures()
      const { main, network_number, outside } = fixtures
      const stranger = await createFleet({ hardware: 1 })
      const before = [await networkRow(network_number), await selectAudits(main.accountId)]
      const answer = async (name: string) => {
        const input = { network_number, ...toInput(fixtures, name) }
        const { code, msg, data } = await main.call(spec, input as never)
        return JSON.stringify({ code, msg, data }).replaceAll(name, '#')
      }
      const unknown = await answer('nobody')
      expect(unknown).not.toContain('"code":200')
      expect(unknown).not.toContain('"code":500')
      expect(await answer(outside.name)).toBe(unknown)
      expect(await answer(stranger.routers[0]!.name)).toBe(unknown)
      expect([await networkRow(network_number), await selectAudits(main.accountId)]).toEqual(before)
    })
    expect(offenders).toEqual([])
  })

  it('POP resources and areas, too', async () => {
    const { main, network_number, point } = await createFixtures()
    const other = await createFleet()
    const number = await createNetwork(other.main, other.routers.slice(0, 2))
    const ticket = await createTicket(other.main, number, [await createPop()])
    await call(opsApi.startNetworkTicket, { number: ticket })
    await call(opsApi.completeNetworkTicket, { number: ticket })
    const [fr] = await db.select().from(networkFrs).where(eq(networkFrs.accountId, other.main.accountId))
    const [area] = (await other.main.call(networkFrApi.ov, { network_number: number })).data
    const pops = { pop: { gateway: '10.210.0.0', mask: 20 }, pop_software: { gateway: '10.211.0.0', mask: 20 } }
    await main.call(networkApi.editIpAddressPool, { network_number, ...pops })
    expect(await main.call(networkApi.fr, { network_number, network_fr_id: fr!.id, mode: 1 })).toMatchObject(
      refusal('FR_NOT_USABLE'),
    )
    const ov = { network_number, router_name: point.name, ov_id_main: area!.id }
    expect(await main.call(networkApi.memberOv, ov)).toMatchObject(refusal('AREA_UNKNOWN'))
  })
})

describe('network 7 · names are compared as the database compares them', () => {
  it('one centre in two spellings is one: neither main and backup router nor twice in the IP config', async () => {
    const { main, network_number, center } = await createFixtures()
    const spelled = center.name.toLowerCase()
    expect(spelled).not.toBe(center.name)
    const routing = { network_number, type: 2 as const, main_router: center.name, secondary_router: spelled }
    expect(await main.call(networkApi.editRouting, routing)).toMatchObject({
      code: 422,
      msg: '主路由与备路由不能相同',
      data: { field: 'secondary_router' },
    })
    const center_network = [center.name, spelled].map((router_name) => ({ router_name, router: null }))
    expect(await main.call(networkApi.editIpAddressPool, { network_number, center_network })).toMatchObject(
      refusal('CENTER_TWICE'),
    )
  })

  it('a point in place of a centre is refused at the field that names it', async () => {
    const { main, network_number, point } = await createFixtures()
    const only = refusal('CENTER_ONLY')
    const link = await main.call(networkApi.centerLink, {
      network_number,
      center_router_name: point.name,
      gateway: '172.30.0.0',
      mask: 30,
    })
    expect(link).toMatchObject({ ...only, data: { field: 'center_router_name' } })
    const center_network = [{ router_name: point.name, router: null }]
    expect(await main.call(networkApi.editIpAddressPool, { network_number, center_network })).toMatchObject({
      ...only,
      data: { field: 'center_network.0.router_name' },
    })
  })
})
