import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { carry, createNode } from './carried-network.ts'
import { MINUTE, useMonitoredNetwork } from './monitored-network.ts'
import {
  type DeviceSocket,
  type TestRouter,
  connectOnlineDevice,
  goOffline,
  later,
  networkStub,
  readNow,
  until,
} from './support.ts'

const { network, stub, listAlerts, selectMessages, saveSettings, sweepNothing, passTime, sent } = useMonitoredNetwork(1)

const OFF = { on: false, delayMinutes: 1, severity: 'warning' }

let node: TestRouter
let area: string
let devices: { point: DeviceSocket; node: DeviceSocket }
beforeEach(async () => {
  await saveSettings({ rules: JSON.stringify({ config_failed: OFF }) }) // these devices carry no POP access
  await sweepNothing()
  const pop = await createNode()
  node = pop.node
  area = pop.area
  await carry(network, pop, 0)
  await readNow(networkStub(network))
  devices = { point: await connectOnlineDevice(network.points[0]!), node: await connectOnlineDevice(node) }
  await reportLink(true)
})

/** Both ends of the link between the member and the node. */
async function reportLink(up: boolean): Promise<void> {
  const link = await findLink()
  for (const device of [devices.point, devices.node])
    device.send({ t: 'links', links: [{ id: link.id, up, rtt_ms: up ? 9 : null }] })
  await until(async () => ((await findLink()).state === (up ? 'up' : 'down') ? true : undefined))
}
const findLink = () =>
  until(async () => (await networkStub(network).status(1)).links.find(({ kind }) => kind === 'pop'))

const isPending = () => until(async () => ((await pendingRules()).includes('pop_connect') ? true : undefined))
const pendingRules = () =>
  runInDurableObject(stub(), (hub) => [...hub['monitor'].storage.state.pending.values()].map(({ rule }) => rule))
/** POP problems that the account's hub knows. */
const knownProblems = () =>
  runInDurableObject(
    stub(),
    (_, { storage }) =>
      storage.sql.exec("SELECT json_array_length(summary, '$.pops') AS n FROM network_health").one()['n'],
  )

describe('account 3 · pop_connect, from the links of a node to the alert', () => {
  it('a cut of a minute is one alert; the connection’s return is its recovery', async () => {
    await reportLink(false)
    await isPending()
    await passTime(30_000)
    expect((await listAlerts()).count).toBe(0)
    await passTime(31_000)
    expect(await listAlerts()).toMatchObject({
      open: 1,
      rows: [{ rule: 'pop_connect', network_number: network.number, router_name: '', severity: 'warning' }],
    })
    expect((await listAlerts()).rows[0]?.title).toMatch(new RegExp(`· POP节点${area}（1个成员）$`, 'u'))
    await sent('sent', 2)
    expect(await selectMessages()).toMatchObject([{ type: '告警', networkNumber: network.number }])
    await reportLink(true)
    await until(async () => ((await listAlerts()).open === 0 ? true : undefined))
    await passTime(10)
    await sent('sent', 4)
    expect((await selectMessages()).map((one) => one.title.startsWith('已恢复：'))).toEqual([false, true])
  })

  it('a cut of less is none', async () => {
    await reportLink(false)
    await isPending()
    later(50_000)
    await reportLink(true)
    await until(async () => ((await pendingRules()).length === 0 ? true : undefined))
    await passTime(MINUTE)
    expect((await listAlerts()).count).toBe(0)
  })

  it('a node that is away is one, too', async () => {
    await goOffline(node, devices.node)
    await isPending()
    await passTime(MINUTE + 1_000)
    expect((await listAlerts()).rows).toMatchObject([{ rule: 'pop_connect', reason: 'POP节点离线', end_time: null }])
    const { health } = await networkStub(network).status(1)
    expect(health.state).toBe('partial')
    expect(health.cause).toMatch(new RegExp(`^1 个POP节点离线（${area}）`, 'u'))
  })

  it('is none where the event is switched off', async () => {
    await saveSettings({ rules: JSON.stringify({ pop_connect: OFF, config_failed: OFF }) })
    await reportLink(false)
    await until(async () => ((await knownProblems()) === 1 ? true : undefined))
    expect(await pendingRules()).toEqual([])
  })
})
