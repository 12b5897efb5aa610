import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { createFleet } from '#tests/support/fixtures.ts'
import { createPop } from '#tests/support/pop.ts'
import { db } from '#tests/support/test-worker.ts'

async function createFixtures() {
  const { main, routers } = await createFleet({ hardware: 4 })
  const [center, twin, point, other] = routers.map(({ name }) => name)
  const names = { center: center!, twin: twin!, point: point!, other: other! }
  const plan = { network_name: '测试网', center: [names.center, names.twin], point: [names.point, names.other] }
  const { network_number } = (await main.call(networkApi.create, plan)).data
  await db.update(accounts).set({ quagga: 1, defaultRoute: 1 }).where(eq(accounts.id, main.accountId))
  const { id: pop } = await createPop()
  return { main, ...names, plan, network_number, pop }
}
type Fixtures = Awaited<ReturnType<typeof createFixtures>>
const revision = '0'
const segment = { gateway: '172.30.0.0', mask: '30' }

it.each<[string, Endpoint, (fixtures: Fixtures) => object]>([
  ['edit', networkApi.edit, ({ plan }) => ({ ...plan, network_name: '二', revision: '1', confirm: '1' })],
  ['quagga', networkApi.quagga, ({ point }) => ({ router_name: point, enable: '1', revision })],
  [
    'default_route',
    networkApi.defaultRoute,
    ({ point }) => ({ router_name: point, model: '1', metric: '150', revision }),
  ],
  [
    'edit_routing',
    networkApi.editRouting,
    ({ center, twin }) => ({ type: '2', main_router: center, secondary_router: twin }),
  ],
  ['edit_prefix', networkApi.editPrefix, () => ({ prefix: [{ ip: '10.0.0.0', mask: '8', le: '32' }], revision })],
  [
    'fixed_port',
    networkApi.fixedPort,
    ({ center }) => ({ router_name: center, router_service: { public_port: '3000', static_port: '3000' }, revision }),
  ],
  [
    'edit_center_gateway',
    networkApi.editCenterGateway,
    ({ center }) => ({
      router_name: center,
      router_network: { gateway: '10.99.0.0', mask: '24' },
      pack: '1',
      revision,
    }),
  ],
  ['center_link', networkApi.centerLink, ({ center }) => ({ center_router_name: center, ...segment, enable: '1' })],
  ['edit_center_link_gateway', networkApi.editCenterLinkGateway, () => ({ ...segment, revision })],
  ['enable_center_link', networkApi.enableCenterLink, () => ({ enable: '0', revision })],
  [
    'edit_point_link',
    networkApi.editPointLink,
    ({ point, other }) => ({
      router_name: point,
      link_config: [{ router_name: other, ...segment, static_port: '24000' }],
      revision,
    }),
  ],
  [
    'edit_ip_address_pool',
    networkApi.editIpAddressPool,
    () => ({ pop: { gateway: '10.98.0.0', mask: '20' }, revision }),
  ],
  [
    'member_ov',
    networkApi.memberOv,
    ({ point }) => ({ router_name: point, ov_id_main: '0', ov_id_backup: '0', priority: '2', revision }),
  ],
  ['ticket', networkApi.ticket, ({ pop }) => ({ ticket: { pop: [`${pop}`], expired_time: '1', bandwidth: '50' } })],
  ['update_status', routerApi.updateStatus, ({ point }) => ({ router_name: point, status: '0', confirm: '1' })],
])('network 7 · numbers may come as text: %s', async (_, spec, toInput) => {
  const fixtures = await createFixtures()
  const input = { network_number: fixtures.network_number, ...toInput(fixtures) }
  expect(await fixtures.main.call(spec, input as never)).toMatchObject({ code: 200 })
})
