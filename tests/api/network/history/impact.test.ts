import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { ImpactCall } from '#contract/network/changes.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerStates } from '#db/schema/routers.ts'
import { createFleet, createSubAccount, networkRow, selectAudits } from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function createImpactNetwork() {
  const { main, routers, apps } = await createFleet({ centers: 2 })
  const [a, b, c, d] = routers
  const members = { center: [a!.name, b!.name], point: [c!.name, d!.name, apps[0]!.name] }
  const { data } = await main.call(networkApi.create, { network_name: '测试网', ...members })
  for (const { id } of [a!, b!, c!]) await db.insert(routerStates).values({ routerId: id, presence: 'online' })
  const preview = (call: ImpactCall, input: object) =>
    main.call(networkApi.impact, { call, input: { network_number: data.network_number, ...input } })
  return { main, network_number: data.network_number, a: a!, b: b!, c: c!, d: d!, preview }
}

describe('network 7 · network/impact', () => {
  it('counts routers, those that are offline, and links that reconnect', async () => {
    const { preview, c, d, a } = await createImpactNetwork()
    expect(await preview('ciphers', { ncp_ciphers: 'sm' })).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        routers: 4,
        offline: 1,
        offline_routers: [{ router_name: d.name, router_name_note: '' }],
        links: { reconnects: 2, opens: 0, closes: 0 }, // those of the one that is away are down
        moved_links: expect.arrayContaining([
          expect.objectContaining({ router_name: c.name, center_router_name: a.name, effect: 'reconnects' }),
        ]),
      },
    })
  })

  it.each([
    ['dns', { dns: ['10.0.0.53'] }, { routers: 4, links: { reconnects: 0, opens: 0, closes: 0 } }],
    ['quagga_disable', {}, { routers: 0, links: { reconnects: 0, opens: 0, closes: 0 } }],
    ['dns', { dns: [] }, { routers: 0, offline: 0 }],
  ] as const)('of %s %j', async (call, input, expected) => {
    const { preview } = await createImpactNetwork()
    expect(await preview(call, input)).toMatchObject({ code: 200, data: expected })
  })

  it('of ports and segments is the links of that centre; a twin-centre link opens', async () => {
    const { preview, a } = await createImpactNetwork()
    const none = { public_ip: '', public_port: null, static_port: null }
    const ports = {
      router_name: a.name,
      router_service: { public_ip: '203.0.113.9', public_port: 3000, static_port: 4000 },
      software_service: none,
    }
    expect(await preview('fixed_port', ports)).toMatchObject({ data: { links: { reconnects: 1 } } })
    const gateway = { router_name: a.name, router_network: { gateway: '10.8.0.0', mask: 24 } }
    expect(await preview('edit_center_gateway', gateway)).toMatchObject({ data: { links: { reconnects: 1 } } })
    const twin = { center_router_name: a.name, gateway: '172.31.200.0', mask: 30, enable: 1, ...none }
    expect(await preview('center_link', twin)).toMatchObject({
      data: { routers: 2, links: { reconnects: 0, opens: 1 } },
    })
  })

  it('counts online centres whose software members connect again; other DNS or rows disconnect nobody', async () => {
    const { preview, a, main, network_number } = await createImpactNetwork()
    const none = { public_ip: '', public_port: null, static_port: null }
    const port = {
      router_name: a.name,
      router_service: none,
      software_service: { ...none, public_port: 3001, static_port: 4100 },
    }
    const quiet = { reconnects: 0, opens: 0, closes: 0 }
    expect(await preview('fixed_port', port)).toMatchObject({ data: { software_centers: 1, links: quiet } })
    expect(await preview('ciphers', { ncp_ciphers: 'sm' })).toMatchObject({ data: { software_centers: 2 } })
    expect(await preview('dns', { dns: ['10.0.0.53'] })).toMatchObject({ data: { software_centers: 0, links: quiet } })
    await db.update(routerStates).set({ presence: 'offline' }).where(eq(routerStates.routerId, a.id))
    expect(await preview('fixed_port', port)).toMatchObject({ data: { software_centers: 0 } })
    expect(await main.call(networkApi.versions, { network_number })).toMatchObject({ data: [] })
  })

  it('counts a customer’s own routers and links; a node is named by its area', async () => {
    const { main, network_number, preview, c } = await createImpactNetwork()
    const pops = [await createPop(), await createPop()]
    const number = await createTicket(main, network_number, pops, { [pops[0]!.id]: [c.name] })
    await call(opsApi.startNetworkTicket, { number })
    await call(opsApi.completeNetworkTicket, { number })
    expect(await preview('ciphers', { ncp_ciphers: 'sm' })).toMatchObject({
      code: 200,
      data: {
        routers: 4,
        links: { reconnects: 3, opens: 0, closes: 0 },
        moved_links: expect.arrayContaining([
          expect.objectContaining({ router_name: c.name, center_router_name_note: pops[0]!.name }),
        ]),
      },
    })
  })

  it('writes nothing', async () => {
    const { main, preview, network_number, a, c } = await createImpactNetwork()
    const [row, audits, since] = [await networkRow(network_number), await selectAudits(main.accountId), hubCalls.length]
    await preview('ciphers', { ncp_ciphers: 'sm' })
    await preview('edit_routing', { type: 2, main_router: a.name, secondary_router: c.name })
    await preview('edit_prefix', { prefix: [] })
    expect(await networkRow(network_number)).toEqual(row)
    expect(await selectAudits(main.accountId)).toEqual(audits)
    expect(hubCalls.slice(since).filter(({ method }) => method === 'refresh')).toEqual([])
    expect(await main.call(networkApi.versions, { network_number })).toMatchObject({ data: [] })
  })

  it('of a restore is what it would set', async () => {
    const { main, preview, network_number } = await createImpactNetwork()
    await main.call(networkApi.ciphers, { network_number, ncp_ciphers: 'sm' })
    expect(await preview('restore', { version: 1 })).toMatchObject({ data: { routers: 4, links: { reconnects: 2 } } })
    expect(await networkRow(network_number)).toMatchObject({ ciphers: 'sm' })
  })

  it('is refused as the call would be', async () => {
    const { main, preview, network_number, c } = await createImpactNetwork()
    const routing = { type: 2, main_router: c.name, secondary_router: c.name }
    expect((await preview('edit_routing', routing)).code).toBe(422)
    expect(await preview('dns', { dns: ['no address'] })).toMatchObject({ code: 422, reason: 'INPUT_INVALID' })
    expect(await preview('dns', { dns: ['10.0.0.1'], revision: 9 })).toMatchObject(refusal('SETTING_CHANGED'))
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: ['other'] })
    const input = { call: 'dns', input: { network_number, dns: [] } } as const
    expect(await limited.call(networkApi.impact, input)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    const viewer = await createSubAccount(main)
    expect(await viewer.call(networkApi.impact, input)).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})
