import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { TRAFFIC_RANGES } from '#contract/kernel/hub-limits.ts'
import type { AgentFrame, ViewerFrame } from '#contract/kernel/protocol.ts'
import { linkId } from '#domain/network/members/links.ts'
import { packDay, packHour, unpackHour } from '#durable/router-hub/traffic/traffic-packing.ts'
import { linkName } from '#durable/router-hub/traffic/traffic-reading.ts'
import { sessions } from '#db/schema/accounts.ts'
import { db } from '#tests/support/test-worker.ts'
import { unique } from '#tests/support/fixtures.ts'
import {
  connectViewer,
  accountStub,
  connectOnlineDevice,
  counters,
  isFrame,
  isShown,
  until,
  createHubNetwork,
  createViewer,
  later,
  routerStub,
  stopLongTimers,
  useRouter,
} from './support.ts'

const { router, stub } = useRouter()
const watch = (over = {}) => connectViewer(stub(), createViewer(router, over))
/** Sends counters a second apart, the clock moving with them. */
async function stream(line: Awaited<ReturnType<typeof connectOnlineDevice>>, from: number, ticks: number) {
  for (let i = from; i < from + ticks; i++) {
    later(1_000)
    line.send(counters(i * 1000, i * 1000, i * 500))
    await stub().traffic()
  }
}

describe('hubs.md, Live sockets · viewer', () => {
  it('gets state and history at once, then one frame a tick; the device streams only meanwhile', async () => {
    const line = await connectOnlineDevice(router)
    await stream(line, 0, 5)
    const viewer = await watch()
    const history = await viewer.next(isShown('history'))
    expect(history.data['eth0']?.map(({ down, upload }) => [down, upload])).toEqual(Array(4).fill([8000, 4000]))
    expect((await viewer.next(isShown('router'))).data.presence.state).toBe('online')
    expect(await line.next(isFrame('stream'))).toMatchObject({ on: true, rate_ms: 1000, lease_s: 30 })
    await stream(line, 5, 1)
    const live = await viewer.next(isShown('interface'))
    expect(live).toMatchObject({ code: 200, seq: history.seq + 1, data: { eth0: { down: 8000, upload: 4000 } } })
    viewer.socket.close(1000)
    await line.next((frame) => frame.t === 'stream' && !frame.on)
  })

  it('that does not acknowledge gets four frames, and only the latest when it acknowledges', async () => {
    const line = await connectOnlineDevice(router)
    const viewer = await watch()
    await viewer.next(isShown('history'))
    await stream(line, 0, 20)
    expect(viewer.frames).toHaveLength(4)
    viewer.send({ type: 'ack', seq: Number.MAX_SAFE_INTEGER })
    await until(() => (viewer.frames.length >= 6 ? true : undefined))
    const latest = viewer.frames.findLast(isShown('interface'))
    const { data } = await stub().traffic()
    expect(latest?.data['eth0']).toEqual(data['eth0']?.at(-1))
  })

  it('that keeps up misses nothing', async () => {
    const line = await connectOnlineDevice(router)
    const viewer = await watch()
    viewer.socket.addEventListener('message', ({ data }) => {
      viewer.send({ type: 'ack', seq: (JSON.parse(String(data)) as { seq: number }).seq })
    })
    await stream(line, 0, 15)
    await until(() => (viewer.frames.filter(isShown('interface')).length === 14 ? true : undefined))
    const seqs = viewer.frames.filter(isShown('interface')).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, i) => seqs[0]! + i))
  })

  it('that is silent for a minute is closed', async () => {
    const viewer = await watch()
    later(61_000)
    await runDurableObjectAlarm(stub())
    expect((await viewer.end()).code).toBe(4005)
  })

  it('cannot use its ticket twice', async () => {
    await watch({ ticketId: 'once' })
    expect((await (await watch({ ticketId: 'once' })).end()).code).toBe(4004)
  })

  it('is closed on every hub when its session ends, without a wait of a second or longer', async () => {
    const sessionId = unique('s')
    const [gone, stays] = [await watch({ sessionId }), await watch()]
    const console = await connectViewer(accountStub(router), createViewer(router, { sessionId }))
    await until(async () =>
      runInDurableObject(accountStub(router), (_, state) =>
        state.storage.sql.exec('SELECT * FROM watchers').toArray().length === 3 ? true : undefined,
      ),
    )
    stopLongTimers(1_000)
    await db.update(sessions).set({ endedAt: Date.now() }).where(eq(sessions.id, sessionId))
    await accountStub(router).refresh()
    expect((await gone.end()).code).toBe(4004)
    expect((await console.end()).code).toBe(4004)
    expect(stays.closed).toBeNull()
    // A ticket that was made before the session ended opens nothing that stays open.
    const late = await watch({ sessionId })
    expect((await late.end()).code).toBe(4004)
    expect(late.frames).toEqual([]) // checked before anything was sent
  })

  it('of a legacy client gets a minute of frames without acknowledging', async () => {
    const line = await connectOnlineDevice(router)
    const viewer = await watch({ isLegacy: true })
    await stream(line, 0, 30)
    const isComplete = () => viewer.frames.filter(isShown('interface')).length === 29
    expect(await until(() => (isComplete() ? true : undefined))).toBe(true)
  })

  it('gets changes of presence', async () => {
    const viewer = await watch()
    await connectOnlineDevice(router)
    const isOnline = (frame: ViewerFrame) => frame.type === 'router' && frame.data.presence.state === 'online'
    expect(await viewer.next(isOnline)).toMatchObject({ code: 200 })
  })

  it('remains connected over hibernation, with growing frame numbers', async () => {
    const line = await connectOnlineDevice(router)
    const viewer = await watch()
    const { seq } = await viewer.next(isShown('history'))
    await stream(line, 0, 2)
    await evictDurableObject(stub())
    await stream(line, 2, 1)
    const seqs = viewer.frames.filter(isShown('interface')).map((frame) => frame.seq)
    expect(seqs.length).toBe(2)
    expect(seqs.every((next, i) => next > (i === 0 ? seq : seqs[i - 1]!))).toBe(true)
  })
})

describe('hubs.md, Traffic · traffic of a router', () => {
  const hourMs = 3_600_000
  const slot = { minute: 4, span: 5, rx: 30_000, tx: 0 }
  // Half past, so that no hour ends between what a test writes and what it reads.
  beforeEach(() => later(hourMs - (Date.now() % hourMs) + hourMs / 2))

  const readHours = ({ sql }: DurableObjectStorage) =>
    sql
      .exec<{ hour: number; body: ArrayBuffer }>('SELECT hour, body FROM hours ORDER BY hour')
      .toArray()
      .map(({ hour, body }) => ({ hour, slots: unpackHour(new Uint8Array(body)).slots }))
  const hours = () => runInDurableObject(stub(), (_, { storage }) => readHours(storage))
  const total = async () =>
    (await hours()).flatMap(({ slots }) => slots['eth0'] ?? []).reduce((sum, slot) => sum + slot.rx, 0)

  it('is stored by the hour, without loss over hibernation and disconnects', async () => {
    const line = await connectOnlineDevice(router)
    // 66 minutes touch two hours
    for (let minute = 0; minute <= 65; minute++) {
      later(60_000) // within the lease: the clock of answered pings is the platform's and cannot be moved
      line.send(counters(minute * 60_000, minute * 1000, 0))
      await stub().traffic()
      if (minute % 9 === 0) await evictDurableObject(stub())
    }
    expect((await hours()).length).toBeLessThanOrEqual(2)
    line.socket.close(1000)
    await until(async () => ((await total()) === 65_000 ? true : undefined))
    await evictDurableObject(stub())
    const { data } = await stub().traffic()
    expect(data['eth0']?.length).toBe(40)
    expect(data['eth0']?.at(-1)?.down).toBe(Math.round((1000 * 8000) / 60_000))
    const range = await stub().trafficSeries('hour')
    expect(range.data['eth0']?.map(({ down }) => down)).toEqual(Array(60).fill(data['eth0']?.at(-1)?.down))
  })

  it('of its links is in the same row, and in no answer about its interfaces', async () => {
    const network = await createHubNetwork(1)
    const point = network.points[0]!
    const hub = routerStub(point)
    const id = linkId(network.number, point.name, network.center.name)
    const rows = () => runInDurableObject(hub, (_, { storage }) => readHours(storage))
    const wan = {
      interface: 'eth0',
      interface_uuid: 'u',
      protocol: 'dhcp',
      role: 'wan',
      ip: '',
      mask: 0,
      mac: '',
      mtu: 1500,
      up: true,
    } as const
    let line = await connectOnlineDevice(point, { interfaces: [wan] })
    let reported = 0
    const report = async (minute: number, rx: number, sinceS: number) => {
      later((minute - reported) * 60_000)
      reported = minute
      const links = { [id]: { rx, tx: 2 * rx, since_s: sinceS } }
      line.send({ ...counters(minute * 60_000, minute * 1_000, 0), links } as AgentFrame)
      await hub.traffic()
    }
    await report(1, 5_000, 600)
    await report(2, 7_000, 660)
    await evictDurableObject(hub)
    await report(3, 400, 20) // its tunnel came up anew
    await report(4, 700, 80)
    line.socket.close(1000)
    const stored = await until(async () => ((await rows())[0]?.slots['eth0']?.length === 3 ? await rows() : undefined))
    expect(stored).toHaveLength(1)
    const slots = stored[0]!.slots
    expect(slots[linkName(id)]?.map(({ rx, tx }) => [rx, tx])).toEqual([2_000, 400, 300].map((rx) => [rx, 2 * rx]))
    expect(Object.keys(slots)).toEqual(['eth0', linkName(id)])

    line = await connectOnlineDevice(point, { interfaces: [wan] })
    await report(5, 900, 140)
    const viewer = await connectViewer(hub, createViewer(point))
    const interfaces = (data: object) => Object.keys(data).filter((name) => name !== 'eth0')
    expect(interfaces((await viewer.next(isShown('history'))).data)).toEqual([])
    await report(5.1, 1_000, 146)
    expect(Object.keys((await viewer.next(isShown('interface'))).data)).toEqual(['eth0'])
    expect(interfaces((await hub.traffic()).data)).toEqual([])
    for (const range of TRAFFIC_RANGES) expect(interfaces((await hub.trafficSeries(range)).data)).toEqual([])
    const whole = { from: Date.now() - hourMs, to: Date.now() + hourMs }
    const { points } = await hub.wanTraffic(whole)
    expect(Math.max(...points.map(({ input }) => input))).toBe(0) // what links sent is in no sum
  })

  it('since the last row is restored as volume after a crash', async () => {
    const first = await connectOnlineDevice(router)
    for (let minute = 0; minute < 3; minute++) {
      later(60_000)
      first.send(counters(minute * 60_000, minute * 1000, 0))
      await stub().traffic()
    }
    const second = await connectOnlineDevice(router) // stores what is pending
    later(60_000)
    second.send(counters(180_000, 3000, 0))
    await stub().traffic()
    await abortAllDurableObjects() // and this minute with it
    const third = await connectOnlineDevice(router)
    later(60_000)
    third.send(counters(240_000, 4000, 0))
    await stub().traffic()
    third.socket.close(1000)
    expect(await until(async () => ((await total()) === 4000 ? true : undefined))).toBe(true)
  })

  it('is rolled up after two days and dropped after 180, by a device that comes back', async () => {
    const line = await connectOnlineDevice(router)
    const today = Math.floor((Date.now() + 8 * hourMs) / (24 * hourMs))
    await runInDurableObject(stub(), (_, { storage }) => {
      const hour = (today - 5) * 24 // eight o'clock
      storage.sql.exec('INSERT INTO hours (hour, body) VALUES (?, ?)', hour, packHour({ eth0: [slot] }))
      for (const age of [181, 179]) {
        storage.sql.exec('INSERT INTO days (day, by_hour, body) VALUES (?, 0, ?)', today - age, packDay({}))
      }
    })
    line.send(counters(0, 0, 0))
    await stub().traffic()
    later(60_000)
    line.send(counters(60_000, 10, 0))
    await stub().traffic()
    line.socket.close(1000)
    const ofToday = async () => (await hours()).filter(({ hour }) => hour >= today * 24 - 8)
    await until(async () => ((await ofToday()).length === 1 ? true : undefined))
    expect((await ofToday()).map(({ slots }) => slots['eth0']?.map(({ rx }) => rx))).toEqual([[10]])
    const days = await runInDurableObject(stub(), (_, { storage }) =>
      storage.sql.exec<{ day: number; by_hour: number }>('SELECT day, by_hour FROM days ORDER BY day').toArray(),
    )
    expect(days.map(({ day, by_hour }) => [today - day, by_hour])).toEqual([
      [179, 0],
      [5, 1],
    ])
    const { data, from, to } = await stub().trafficSeries('month')
    const [point] = data['eth0'] ?? []
    expect(point).toMatchObject({ down: 800, down_peak: 800, upload: 0, time: ((today - 5) * 24 + 2) * hourMs })
    expect(to - from).toBe(30 * 24 * hourMs)

    const next = await connectOnlineDevice(router)
    next.send(counters(120_000, 30, 0))
    await stub().traffic()
    later(hourMs)
    next.send(counters(180_000, 50, 0))
    await stub().traffic()
    next.socket.close(1000)
    await until(async () => ((await ofToday()).length === 2 ? true : undefined))
    expect(await hours()).toHaveLength(2) // the row of the day that is rolled up is written over
  })
})
