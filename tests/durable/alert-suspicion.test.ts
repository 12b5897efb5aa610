import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { linkId } from '#domain/network/members/links.ts'
import { useMonitoredNetwork } from './monitored-network.ts'
import { type DeviceSocket, connectOnlineDevice, goOffline, networkStub, readNow, until } from './support.ts'

const SECOND = 1_000
const { network, stub, listAlerts, passTime, sweepNothing, sent, selectMessages } = useMonitoredNetwork(3)

let center: DeviceSocket
let points: readonly DeviceSocket[]
beforeEach(async () => {
  await sweepNothing()
  await readNow(networkStub(network))
  center = await connectOnlineDevice(network.center)
  points = await Promise.all(network.points.map((point) => connectOnlineDevice(point)))
  center.send({ t: 'links', links: network.points.map((_, n) => ({ id: idOf(n), up: true, rtt_ms: 9 })) })
  reportPoints(true)
  await until(async () => ((await linkStates()).every((state) => state === 'up') ? true : undefined))
})

const idOf = (point: number) => linkId(network.number, network.points[point]!.name, network.center.name)
const linkStates = async () => (await networkStub(network).status(1)).links.map(({ state }) => state)
const reportPoints = (up: boolean) =>
  points.forEach((point, n) => point.send({ t: 'links', links: [{ id: idOf(n), up, rtt_ms: up ? 8 : null }] }))
const pendingOf = () =>
  runInDurableObject(stub(), (hub) => [...hub['monitor'].storage.state.pending.values()].map((one) => one.isSuspected))
const suspect = async () => {
  reportPoints(false)
  await until(async () => ((await pendingOf()).includes(true) ? true : undefined))
  await passTime(30 * SECOND)
}

describe('hubs.md, Alerts · a centre that its points do not reach', () => {
  it('is one alert: suspected, confirmed by presence under another name, and recovered', async () => {
    await suspect()
    const [suspected] = (await listAlerts()).rows
    expect(suspected).toMatchObject({ rule: 'router_offline', severity: 'critical', router_name: network.center.name })
    expect(suspected?.title).toMatch(/^中心点疑似失联：.+ → .+疑似中断$/u)
    await sent('sent', 2)
    await goOffline(network.center, center)
    await until(async () => ((await listAlerts()).rows[0]?.title.startsWith('中心点离线：') ? true : undefined))
    await passTime(300 * SECOND)
    const confirmed = await listAlerts()
    expect(confirmed).toMatchObject({ count: 1, open: 1, rows: [{ alert_id: suspected?.alert_id, end_time: null }] })
    expect(await selectMessages()).toHaveLength(1)
  })

  it('closes where the links come back while the device was there all the time', async () => {
    await suspect()
    reportPoints(true)
    await until(async () => ((await linkStates()).every((state) => state === 'up') ? true : undefined))
    await until(() =>
      runInDurableObject(stub(), (hub) =>
        [...hub['monitor'].storage.state.alerts.values()].some(({ cleared }) => cleared) ? true : undefined,
      ),
    )
    await passTime(31 * SECOND)
    expect(await listAlerts()).toMatchObject({ count: 1, open: 0 })
  })
})
