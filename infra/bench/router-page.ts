import type { Page } from 'playwright-core'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { routerApi } from '#contract/router/index.ts'
import { inRoot } from '#infra/local/paths.ts'

const NAME = 'NLBENCH'
const AT_ONCE = 20 // frames between two drawn ones
export const INTERFACES = Array.from({ length: 16 }, (_, index) => `wan${index}`)

/** The page of a router with 16 open charts, whose frames the measurement makes. */
export async function openRouter(page: Page): Promise<Page> {
  await page.addInitScript({ path: inRoot('infra/bench/peers/router-frames.js') })
  const reply = (data: object) => ({
    contentType: 'application/json',
    body: JSON.stringify({ code: 200, msg: '', data }),
  })
  await page.route('**/api/v1/router/info*', (route) => route.fulfill(reply(createRouter())))
  await page.route('**/api/v1/router/traffic_ticket', (route) =>
    route.request().postData()?.includes(NAME)
      ? route.fulfill(reply({ ticket: 'bench', expires_in: 30 }))
      : route.continue(),
  )
  await page.goto(`/router/detail?router_name=${NAME}`)
  await page.evaluate('bench.opened')
  return page
}

/** A chart out of sight stands still, and loads nothing. */
export const scrollToCharts = (page: Page) =>
  page
    .locator('.nl-chart')
    .first()
    .evaluate((chart) => chart.scrollIntoView({ block: 'start' }))

export const flood = (page: Page, frames: number) =>
  page.evaluate(`bench.flood(${JSON.stringify(INTERFACES)}, ${frames}, ${AT_ONCE})`)

function createRouter(): Output<typeof routerApi.info> {
  return {
    router_name: NAME,
    router_type: 1,
    note: '十六条线路',
    note_revision: 0,
    online: 1,
    presence: { state: 'online', since: 0, last_seen: 0, reason: '' },
    config: { state: 'applied', version: 1, applied_version: 1, reason: '', at: 0 },
    router_model: '',
    router_ipv4: '',
    router_mac: '',
    version: '',
    os: '',
    area_code: '86',
    phone: '',
    status: 1,
    create_time: 0,
    interfaces: INTERFACES.map((name) => ({
      interface: name,
      interface_uuid: name,
      protocol: 'dhcp',
      role: 'wan',
      ip: '',
      mask: 24,
      ipv4_subnet_mask: '255.255.255.0',
      mac: '',
      mtu: 1500,
      up: true,
    })),
    network: [],
    shared: 0,
    remote_ip: '',
    link: [],
    link_count: { up: 0, down: 0, one_sided: 0, unknown: 0, never: 0 },
    paths: { up: 0, total: 0, single_center: 0 },
    static_routes: [],
    static_routes_revision: 0,
    link_missing: [],
  }
}
