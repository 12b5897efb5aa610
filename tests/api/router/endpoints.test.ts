import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { routerApi } from '#contract/router/index.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { compileDocument } from '#tests/support/documents.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createSites } from '#tests/support/sites.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function storeDevice(name: string, device: object): Promise<void> {
  const [router] = await db.select({ id: routers.id }).from(routers).where(eq(routers.name, name))
  await db
    .update(routerStates)
    .set({ endpoints: JSON.stringify(device) })
    .where(eq(routerStates.routerId, router!.id))
}

const rows = (...hosts: string[]) => hosts.map((host) => ({ host }))

/** Three sites whose centre was seen at an address. */
async function createSeenSites() {
  const { main, shop, plant, number } = await createSites()
  const state = { remoteHost: '203.0.113.5', probePort: 4000 }
  const center = await createRouter(main.accountId, { note: '二区总部', lans: ['10.9.0.1/24'], state })
  const second = await createNetwork(main, [center, plant, shop], '二区')
  return { main, center, plant, shop, number, second }
}

describe('network 2 · router/endpoints', () => {
  it('sets them: routers that dial it are pushed, their documents have all in order', async () => {
    const { main, center, plant, shop, second } = await createSeenSites()
    const since = hubCalls.length
    const endpoints = rows(' VPN.Example.com', '198.51.100.7')
    const reply = await main.call(routerApi.endpoints, { router_name: center.name, endpoints })
    expect(reply).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(plant, shop))
    const { data } = await main.call(routerApi.info, { router_name: center.name })
    expect(data).toMatchObject({
      endpoints: rows('vpn.example.com', '198.51.100.7'),
      endpoints_revision: 1,
      endpoint_list: [
        { host: 'vpn.example.com', source: 'chosen', reached: 0 },
        { host: '198.51.100.7', source: 'chosen', reached: 0 },
        { host: '203.0.113.5', source: 'seen', reached: 0 },
      ],
    })
    const { networks } = await compileDocument(shop.hub)
    const link = networks.find(({ network_number }) => network_number === second)?.links[0]
    expect(link?.remotes.map(({ host }) => host)).toEqual(['vpn.example.com', '198.51.100.7', '203.0.113.5'])
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'endpoints',
      message: '修改成员“二区总部”的接入地址，共2个',
      before: '{"endpoints":[]}',
      after: '{"endpoints":["vpn.example.com","198.51.100.7"]}',
    })
  })

  it('shows those of the device by their source, and which one a link reaches', async () => {
    const { main, center, shop, second } = await createSeenSites()
    const device = { flag: ['198.51.100.8'], reported: ['2400:3200::1'], seen: ['203.0.113.5'] }
    const { hubs } = fakeHubs({
      'network.routerLinks': () => ({
        links: [
          {
            id: `${second}:${shop.name}>${center.name}`,
            router_name: shop.name,
            center_router_name: center.name,
            state: 'up',
            since: 1,
            reason: '',
            rtt_ms: 3,
            client_up: true,
            server_up: true,
            remote: '[2400:3200::1]:4000',
          },
        ],
        paths: { up: 1, unknown: 0, total: 1 },
      }),
    })
    const { call } = createTestWorker({ hubs })
    await storeDevice(center.name, device)
    const { data } = await call(routerApi.info, { router_name: center.name }, main.token)
    expect(data.endpoint_list).toEqual([
      { host: '198.51.100.8', source: 'flag', reached: 0 },
      { host: '2400:3200::1', source: 'reported', reached: 1 },
      { host: '203.0.113.5', source: 'seen', reached: 0 },
    ])
  })

  it('an equal state is not written; an older state is refused', async () => {
    const { main, center } = await createSeenSites()
    const set = (hosts: string[], more = {}) =>
      main.call(routerApi.endpoints, { router_name: center.name, endpoints: rows(...hosts), ...more })
    expect(await set(['198.51.100.7'], { revision: 0 })).toMatchObject({ code: 200 })
    expect(await set(['198.51.100.7'])).toMatchObject({ code: 200, trips: 1 })
    expect(await set([], { revision: 0 })).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await set([], { revision: 1 })).toMatchObject({ code: 200 })
    expect((await selectAudits(main.accountId)).at(-1)?.message).toBe('清空成员“二区总部”的接入地址，共0个')
  })

  it('one that is written between reading and writing is not overwritten', async () => {
    const { main, center } = await createSeenSites()
    const set = (host: string) => ({ router_name: center.name, endpoints: rows(host) })
    const { call } = createTestWorker({ afterFirstTrip: () => main.call(routerApi.endpoints, set('198.51.100.1')) })
    expect(await call(routerApi.endpoints, set('198.51.100.2'), main.token)).toMatchObject(refusal('SETTING_CHANGED'))
  })

  it.each([
    ['198.51.100.7:1194', '请输入正确的IP地址或域名，不含端口', 'endpoints.0.host'],
    ['127.0.0.1', '请输入正确的IP地址或域名，不含端口', 'endpoints.0.host'],
    ['', '请输入IP地址或域名', 'endpoints.0.host'],
  ])('refuses %j', async (host, msg, field) => {
    const { main, center } = await createSeenSites()
    const reply = await main.call(routerApi.endpoints, { router_name: center.name, endpoints: rows(host) })
    expect(reply).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('refuses a repeat, too many, and a software member', async () => {
    const { main, center } = await createSeenSites()
    const app = await createSoftwareRouter(main.accountId)
    const set = (router_name: string, ...hosts: string[]) =>
      main.call(routerApi.endpoints, { router_name, endpoints: rows(...hosts) })
    expect(await set(center.name, 'a.cn', 'A.cn')).toMatchObject({ code: 422, msg: '接入地址不能重复' })
    expect(await set(center.name, 'a.cn', 'b.cn', 'c.cn', 'd.cn', 'e.cn')).toMatchObject({ msg: '接入地址最多添加4个' })
    expect(await set(app.name, 'a.cn')).toMatchObject(refusal('HARDWARE_ONLY'))
  })

  it('network 6: belongs to router:edit of a role that covers all networks of the member', async () => {
    const { main, shop, center, number } = await createSeenSites()
    const limited = await createSubAccount(main, { flags: ['router:edit'], networks: [number] })
    const set = (router_name: string) => limited.call(routerApi.endpoints, { router_name, endpoints: rows('a.cn') })
    expect(await set(shop.name)).toMatchObject(refusal('ROUTER_SHARED'))
    expect(await set(center.name)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const editor = await createSubAccount(main, { flags: ['network:edit'] })
    const input = { router_name: center.name, endpoints: [] }
    expect(await editor.call(routerApi.endpoints, input)).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})
