import { afterAll, describe, expect, it, vi } from 'vitest'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { until } from '#infra/bench/stack.ts'
import origin from './fixtures/origin.json' with { type: 'json' }
import { type DeviceProcess, type Product, startDevices, startProduct } from './product.ts'
import type { StoredHub } from './state.ts'
import { buildCheckout, buildCommit } from './releases.ts'
import { type Watcher, createCustomer, receivedVersions, shownAway, untilWell, watch } from './scene.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 120_000 })

const CENTERS = 2
const DEVICES = 50
/** Shares of the new release: it goes up in two steps, and is taken back. */
const STEPS = [50, 100, 0] as const
const ALERT_MS = 150_000

const before = await buildCommit(origin.commit)
if (before === null)
  process.stdout.write(`The release drill needs the commit ${origin.commit}, which this clone does not have.\n`)

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

describe.skipIf(before === null)('deploy.md, Each release · a release goes up, and is taken back', () => {
  it('loses, repeats and alarms nothing, with devices and consoles of both releases, a push and an alert under way', async () => {
    if (before === null) return
    const after = await buildCheckout()
    const product = await startProduct({ before, after }, 9410)
    closers.push(() => product.stop())
    const customer = await createCustomer(product, {
      username: 'lianyun01',
      centers: CENTERS,
      points: DEVICES - CENTERS + 1,
    })
    const { call, devices, network: network_number } = customer
    const [lost, ...kept] = devices.toReversed()
    if (!lost) throw new Error('no device')
    const fleets = [before, after].map((release, i) =>
      startDevices(
        release,
        product,
        `fleet${i}`,
        kept.filter((_, n) => n % 2 === i),
      ),
    )
    const lostOne = startDevices(before, product, 'lost', [lost])
    closers.push(...[...fleets, lostOne].map((fleet) => () => fleet.stop()))
    const serials = kept.map(({ serial }) => serial)
    await untilWell(customer, [...serials, lost.serial])
    const watchers = await watchAll(product, customer.username, network_number, serials)
    closers.push(...watchers.map((watcher) => () => watcher.close()))
    const logBefore = await readLog(product, serials)

    await lostOne.stop() // its alert begins, and is under way while hubs move
    const moved: number[] = []
    for (const [i, percent] of STEPS.entries()) {
      const ncp_ciphers = i % 2 === 0 ? 'sm' : 'default'
      await call(networkApi.ciphers, { network_number, ncp_ciphers }) // its push is under way
      moved.push(await product.share(percent))
      await untilBack(product, serials, ncp_ciphers)
      await untilWell(customer, serials)
      if (percent === 100) await until(() => areSent(customer, 'open'), ALERT_MS)
    }
    const back = startDevices(before, product, 'lost', [lost])
    closers.push(() => back.stop())
    await until(() => areSent(customer, 'recovery'), ALERT_MS)
    await until(() => watchers.every(({ isOpen }) => isOpen), 30_000)

    expect(Math.min(...moved)).toBeGreaterThan(DEVICES / 4)
    expect(findRepeats(fleets)).toEqual([])
    expect(await readLog(product, serials)).toEqual(logBefore)
    expect(watchers.flatMap(({ faults }) => faults)).toEqual([])
    expect(watchers.flatMap((watcher) => shownAway(watcher, [lost.serial]))).toEqual([])
    expect(await readAlerts(customer, product)).toEqual({
      alerts: [`router_offline ${lost.serial}`],
      deliveries: ['open mail sent', 'open site sent', 'recovery mail sent', 'recovery site sent'],
      mails: 2,
    })
    const { rows } = await product.state()
    expect(rows['hub_outbox'] ?? []).toEqual([])
    expect(product.faults()).toEqual([])
  })
})

type Customer = Awaited<ReturnType<typeof createCustomer>>

/** Ten consoles: of the account, of the network, and of routers. */
function watchAll(product: Product, username: string, network_number: string, serials: readonly string[]) {
  const targets = [
    ...Array.from({ length: 2 }, () => ({ kind: 'account' }) as const),
    ...Array.from({ length: 4 }, () => ({ kind: 'network', network_number }) as const),
    ...serials.slice(0, 4).map((router_name) => ({ kind: 'router', router_name }) as const),
  ]
  return Promise.all<Watcher>(targets.map((target) => watch(product, username, target)))
}

/** Waits until the hub of each device has a socket again, and the device runs the newest document: lists are behind that. */
async function untilBack(product: Product, serials: readonly string[], ciphers: string): Promise<void> {
  const isBack = ({ kv, attachments }: StoredHub) => {
    const { presence, config } = kv as { presence?: { greeted: boolean }; config?: { state: string } }
    const hasSocket = attachments.some((one) => 'epoch' in (one as object))
    const isNewest = String(kv['document:0']).includes(`"ciphers":"${ciphers}"`)
    return hasSocket && presence?.greeted === true && config?.state === 'applied' && isNewest
  }
  await until(async () => {
    const { hubs } = await product.state()
    const back = new Set(
      hubs.filter(isBack).map(({ kv }) => (kv['router'] as { routerName?: string } | undefined)?.routerName),
    )
    return serials.every((serial) => back.has(serial))
  }, 120_000)
}

/** Lines of the connection log of these devices, by name and direction. */
async function readLog(product: Product, serials: readonly string[]): Promise<string[]> {
  const { rows } = await product.state()
  const known = new Set<unknown>(serials)
  return (rows['connection_logs'] ?? [])
    .filter(({ router_name }) => known.has(router_name))
    .map(({ router_name, online, reason }) => `${router_name} ${online} ${reason}`)
    .toSorted()
}

/** Documents that a device has received twice, or not at all. */
const findRepeats = (fleets: readonly DeviceProcess[]): string[] =>
  fleets.flatMap(({ lines }) =>
    [...receivedVersions(lines)].flatMap(([serial, versions]) => {
      const isOnce = new Set(versions).size === versions.length
      return isOnce ? [] : [`${serial} ${versions.join(' ')}`]
    }),
  )

/** True once a notice of this kind was sent by mail and as a message. */
async function areSent({ call }: Customer, kind: string): Promise<boolean> {
  const deliveries = await call(monitorApi.deliveries, { page: 1, limit: 100 })
  return deliveries.filter((one) => one.kind === kind && one.state === 'sent').length >= 2
}

async function readAlerts({ call, email }: Customer, { origin }: Product) {
  const alerts = await call(monitorApi.alerts, { page: 1, limit: 100 })
  const deliveries = await call(monitorApi.deliveries, { page: 1, limit: 100 })
  const outbox = await fetch(`${origin}/__local/outbox?kind=mail&to=${email}`)
  const { items } = (await outbox.json()) as { items: unknown[] }
  return {
    alerts: alerts.map(({ rule, router_name }) => `${rule} ${router_name}`),
    deliveries: deliveries.map(({ kind, channel, state }) => `${kind} ${channel} ${state}`).toSorted(),
    mails: items.length,
  }
}
