import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadDocument } from '#durable/router-hub/state/storage.ts'
import { saasDevices } from '#db/schema/saas.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { connectionLogs } from '#db/schema/routers.ts'
import { db } from '#tests/support/test-worker.ts'
import { type TestRouter, connectOnlineDevice, counters, isFrame, later, readNow, until, useRouter } from './support.ts'

const HOUR = 3_600_000
const { router, stub } = useRouter()
// Half past, so that no hour ends within a test.
beforeEach(() => void later(HOUR - (Date.now() % HOUR) + HOUR / 2))
afterEach(() => void vi.useRealTimers())

const sell = ({ routerId, accountId }: TestRouter, over: Partial<typeof saasDevices.$inferInsert> = {}) =>
  db.insert(saasDevices).values({
    routerId,
    accountId,
    share: 1,
    bandwidth: 50,
    maxBandwidth: 100,
    expireAt: Date.now() + 10 * HOUR,
    createdAt: Date.now(),
    ...over,
  })
const desired = () => runInDurableObject(stub(), (_, { storage }) => loadDocument(storage)?.bandwidth_mbps)
const alarmAt = () => runInDurableObject(stub(), (_, { storage }) => storage.getAlarm())

describe('directory 3 · the bandwidth in force reaches the device', () => {
  it('at both ends of a temporary value and at the expiry, by the hub’s alarm alone', async () => {
    const start = Date.now() + HOUR
    await sell(router, { tempBandwidth: 80, tempStartAt: start, tempExpireAt: start + HOUR })
    const device = await connectOnlineDevice(router, { capabilities: ['bandwidth'] })
    await readNow(stub())
    expect((await device.next(isFrame('config'))).body.bandwidth_mbps).toBe(50)
    expect(await alarmAt()).toBeLessThanOrEqual(start)
    for (const [ms, bandwidth] of [
      [HOUR + 1, 80],
      [HOUR, 50],
      [8 * HOUR + 1, 0],
    ] as const) {
      later(ms)
      await runDurableObjectAlarm(stub())
      expect(await desired()).toBe(bandwidth)
    }
    const back = await connectOnlineDevice(router, { capabilities: ['bandwidth'] })
    expect((await back.next(isFrame('config'))).body.bandwidth_mbps).toBe(0)
  })

  it('a device that is sold no more loses the limit, at once', async () => {
    await sell(router)
    const device = await connectOnlineDevice(router, { capabilities: ['bandwidth'] })
    await readNow(stub())
    expect((await device.next(isFrame('config'))).body.bandwidth_mbps).toBe(50)
    await db.delete(saasDevices).where(eq(saasDevices.routerId, router.routerId))
    await readNow(stub())
    await until(async () => ((await desired()) === undefined ? true : undefined))
    later(1_001) // changes are pushed together
    await runDurableObjectAlarm(stub())
    const free = (frame: (typeof device.frames)[number]) => frame.t === 'config' && !('bandwidth_mbps' in frame.body)
    await until(() => device.frames.find(free))
  })

  it('a device that is no SaaS device has no such field', async () => {
    await readNow(stub())
    const device = await connectOnlineDevice(router)
    expect(await alarmAt()).not.toBeNull()
    expect(device.frames.some((frame) => frame.t === 'config' && 'bandwidth_mbps' in frame.body)).toBe(false)
  })
})

const WAN = { interface: 'eth0', interface_uuid: 'u', protocol: 'dhcp', role: 'wan', ip: '203.0.113.9' } as const
const wan: InterfaceInfo = { ...WAN, mask: 24, mac: '', mtu: 1500, up: true }
const hour = () => Math.floor(Date.now() / HOUR) - 2
const flows = (over: object = {}) =>
  ({
    t: 'flows',
    hour: hour(),
    report: 1,
    over: true,
    part: 0,
    parts: 1,
    slots: [{ slot: 3, apps: [['飞书', 10, 90]], sources: [['10.0.0.5', 10, 90]] }],
    ...over,
  }) as never

describe('design 8 · flows of a SaaS device', () => {
  const top = () => stub().flowTop({ kind: 'apps', from: Date.now() - 6 * HOUR, to: Date.now() })

  it('are stored, acknowledged, and read; the hour that goes on is asked for when somebody looks', async () => {
    await sell(router)
    await readNow(stub())
    const device = await connectOnlineDevice(router, { capabilities: ['flows'], interfaces: [wan] })
    device.send(flows())
    expect(await device.next(isFrame('flows_ack'))).toEqual({ t: 'flows_ack', hours: [hour()] })
    const answer = top()
    await device.next(isFrame('flows_ask'))
    const ended = Date.now() - 6 * 60_000 // in a slot that is over: only those count, in charts and shares alike
    const slots = [{ slot: Math.floor((ended % HOUR) / 300_000), apps: [['飞书', 0, 100]], sources: [] }]
    device.send(flows({ hour: Math.floor(ended / HOUR), over: false, report: 7, slots }))
    expect((await answer).rows).toEqual([{ name: '飞书', input: 10, out: 190, total: 200, share: 10_000 }])
    const { series } = await stub().flowSeries({ kind: 'sources', from: Date.now() - 6 * HOUR, to: Date.now() })
    expect(series).toMatchObject([{ name: '10.0.0.5' }])
    expect(series[0]?.points[0]).toMatchObject({ input: 0, out: 2 }) // 90 bytes in five minutes
  })

  it('a range in the future or without length has neither shares nor a chart', async () => {
    await sell(router)
    await readNow(stub())
    const device = await connectOnlineDevice(router, { capabilities: ['flows'], interfaces: [wan] })
    const now = Date.now()
    const slot = Math.floor((now % HOUR) / 300_000) // the one that goes on
    const slots = [{ slot, apps: [['飞书', 0, 100]], sources: [['10.0.0.5', 0, 100]] }]
    device.send(flows({ hour: Math.floor(now / HOUR), over: false, report: 7, slots }))
    await until(() => runInDurableObject(stub(), (hub) => hub['flows']['store'].liveReport() ?? undefined))
    for (const [from, to] of [
      [now, now],
      [now + 24 * HOUR, now + 48 * HOUR],
      [now - 60_000, now + 1],
    ] as const) {
      const asked = { kind: 'apps', from: Math.min(from, now + 1), to: Math.min(to, now + 1) } as const
      expect((await stub().flowTop(asked)).rows).toEqual([])
      expect((await stub().flowSeries(asked)).series).toEqual([])
    }
  })

  it('of another device are acknowledged, and not kept', async () => {
    await readNow(stub())
    const device = await connectOnlineDevice(router)
    device.send(flows())
    await device.next(isFrame('flows_ack'))
    expect((await top()).rows).toEqual([])
  })
})

describe('directory 2 · a presence and its volumes', () => {
  it('are in the line that ends it, with the device’s own address', async () => {
    await sell(router)
    await readNow(stub())
    const device = await connectOnlineDevice(router, { capabilities: ['flows'], interfaces: [wan] })
    device.send(counters(1_000, 0, 0))
    const isRead = () => runInDurableObject(stub(), (hub) => hub['series']['pending'].reading !== null || undefined)
    await until(isRead)
    later(60_000)
    device.send(counters(61_000, 5_000_000, 700_000))
    await until(async () => ((await stub().presenceTraffic()).download > 0 ? true : undefined))
    const open = await stub().presenceTraffic()
    expect(open).toMatchObject({ upload: 700_000, download: 5_000_000, countsFlows: true })
    const { points } = await stub().wanTraffic({ from: Date.now() - HOUR, to: Date.now() + HOUR })
    expect(points.length).toBeLessThanOrEqual(1_000)
    device.socket.close(1000)
    const lines = await until(async () => {
      const rows = await db
        .select()
        .from(connectionLogs)
        .where(eq(connectionLogs.routerName, router.name))
        .orderBy(connectionLogs.at)
      if (rows.length < 2) await runInDurableObject(stub(), (hub) => hub['outbox'].runIfDue())
      if (rows.length < 2) await runDurableObjectAlarm(stub())
      return rows.length === 2 ? rows : undefined
    })
    expect(lines).toMatchObject([
      { online: 1, localIp: '203.0.113.9', upload: null },
      { online: 0, upload: 700_000, download: 5_000_000 },
    ])
    expect(open.since).toBe(lines[0]?.at)
  })
})
