import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { afterEach, expect, it, vi } from 'vitest'
import { readRouter } from '#durable/router-hub/database.ts'
import { checkDocument, checkSettings } from '#infra/agent/config/check-document.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { type ProvisionedDevice, loadDemo, signIn } from '#infra/demo/load.ts'
import { TENANTS } from '#infra/demo/data.ts'
import { type Call, callEndpoint } from '#infra/local/api.ts'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { DEVICE_SETTING_KEYS, usedSettings } from '#domain/network/compile/device-settings.ts'
import { lanPort } from '#tests/support/fixtures.ts'
import { db, request } from '#tests/support/test-worker.ts'

const ORIGIN = 'http://demo.test'
const TARGET = { wan: ['eth0'], lan: ['lan0'], probePort: 40_000 }

afterEach(() => vi.unstubAllGlobals())

/** Reports of each device once its agent runs. */
async function reportLan({ serial, lan }: ProvisionedDevice): Promise<void> {
  const [router] = await db.select({ id: routers.id }).from(routers).where(eq(routers.name, serial))
  const interfaces = JSON.stringify(lan === null ? [] : [lanPort(lan.replace('.0/', '.1/'), 0)])
  await db
    .insert(routerStates)
    .values({ routerId: router!.id, interfaces })
    .onConflictDoUpdate({ target: routerStates.routerId, set: { interfaces } })
}

/** The document of a device, and what is wrong with it. */
async function inspect(serial: string) {
  const [router] = await db.select({ hub: routers.hub }).from(routers).where(eq(routers.name, serial))
  const { document } = (await readRouter(env, router!.hub))!
  const files = renderDocument(document, assignSlots(document, NO_SLOTS), TARGET)
  return {
    serial,
    document,
    files,
    faults: [
      checkDocument(document),
      checkSettings(document, DEVICE_SETTING_KEYS),
      checkTunnels(document, TARGET),
    ].filter((fault) => fault !== null),
  }
}

it('the demo loads, every device can carry its document, and every kind of setting and ticket is there', async () => {
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => request(address.replace(ORIGIN, ''), init))
  const devices = await loadDemo(ORIGIN, env.OPERATOR_TOKEN)
  for (const device of devices) await reportLan(device)

  const inspected = await Promise.all(devices.map(({ serial }) => inspect(serial)))
  expect(inspected.filter(({ faults }) => faults.length > 0)).toEqual([])
  const rendered = inspected.filter(({ document }) => document.networks.length > 0)
  expect(rendered.length).toBeGreaterThanOrEqual(44)
  for (const { files } of rendered) expect([...files.keys()].some((path) => path.endsWith('.conf'))).toBe(true)
  const used = new Set(inspected.flatMap(({ document }) => usedSettings(document)))
  const later = new Set(['links:pop', 'lans:via'])
  expect(DEVICE_SETTING_KEYS.filter((key) => !used.has(key) && !later.has(key))).toEqual([])

  const token = await signIn(ORIGIN, 'demo01')
  const api: Call = (spec, input) => callEndpoint(ORIGIN, '/api/v1', spec, input, token)
  const numbers = await db.select({ name: networks.name, number: networks.number }).from(networks)
  const types: Record<string, number> = {}
  for (const { name } of TENANTS[0]!.networks) {
    const number = numbers.find((row) => row.name === name)!.number
    const info = await api(networkApi.info, { network_number: number })
    expect({ name, overlaps: info.overlaps }).toEqual({ name, overlaps: [] })
    types[name] = info.network_type
  }
  expect(types).toEqual({ 总部与分支互联: 1, 全国门店收银网: 1, 工厂与仓库直连: 2, 研发专网: 3 })
  const tickets = await api(networkApi.ticketLists, {})
  const statuses = tickets.map(({ network_ticket_status: status }) => status)
  expect(statuses.toSorted()).toEqual(Object.values(NETWORK_TICKET_STATUS))
  expect(await api(networkFrApi.lists, {})).toMatchObject([{ name: '研发骨干接入', expire_day: 20, status: 1 }])
  const software = await api(routerApi.lists, { type: 2 })
  expect(new Set(software.map(({ phone }) => phone !== ''))).toEqual(new Set([true, false]))
})
