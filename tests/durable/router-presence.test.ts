import {
  abortAllDurableObjects,
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { eq } from 'drizzle-orm'
import { devices, routers } from '#db/schema/routers.ts'
import { db } from '#tests/support/test-worker.ts'
import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'
import {
  accountStub,
  connectDevice,
  connectViewer,
  counters,
  createViewer,
  connectOnlineDevice,
  createHello,
  isFrame,
  isShown,
  until,
  later,
  useRouter,
} from './support.ts'
import { stopClock } from './clock.ts'

const { router, stub, presence, storedState, logLines } = useRouter()
/** Time of the device's last frame. */
const heardAt = () => runInDurableObject(stub(), (hub) => hub['device'].lastReceivedAt())

describe('hubs.md, Disconnect · device', () => {
  it('is 在线 at once, in the hub and in the lists, with one connection log line', async () => {
    await connectOnlineDevice(router)
    expect(await presence()).toMatchObject({ state: 'online', reason: '' })
    await until(async () => ((await storedState())?.presence === 'online' ? true : undefined))
    expect(await logLines()).toEqual([{ epoch: 1, online: 1, reason: '' }])
  })

  it.each([
    [undefined, 45],
    ['20', 20],
    ['90', 60],
  ])('gets the spread of a restart in its welcome: with RESTART_SPREAD_S %j, %i s', async (value, seconds) => {
    await runInDurableObject(stub(), (hub) => {
      const { RESTART_SPREAD_S: _, ...rest } = env
      Object.defineProperty(hub, 'env', { value: { ...rest, ...(value && { RESTART_SPREAD_S: value }) } })
    })
    const line = await connectOnlineDevice(router)
    expect(line.frames.find(isFrame('welcome'))).toMatchObject({ spread_s: seconds })
  })

  it.each([
    ['https://b.netloom.cn, https://relay.netloom.cn:8443', ['https://b.netloom.cn', 'https://relay.netloom.cn:8443']],
    ['https://b.netloom.cn,http://c.netloom.cn', undefined],
    [undefined, undefined],
  ])('gets the entries of DEVICE_ENTRIES in its welcome: %j', async (value, entries) => {
    await runInDurableObject(stub(), (hub) => {
      Object.defineProperty(hub, 'env', { value: { ...env, ...(value && { DEVICE_ENTRIES: value }) } })
    })
    const line = await connectOnlineDevice(router)
    expect(line.frames.find(isFrame('welcome'))?.entries).toEqual(entries)
  })

  it('is 重连中 for fifteen seconds after a close, then 离线', async () => {
    stopClock()
    const line = await connectOnlineDevice(router)
    line.socket.close(1000, 'bye')
    await until(async () => ((await presence()).state === 'reconnecting' ? true : undefined))
    later(14_999)
    await runDurableObjectAlarm(stub())
    expect((await presence()).state).toBe('reconnecting')
    later(1)
    await runDurableObjectAlarm(stub())
    expect(await presence()).toMatchObject({ state: 'offline', reason: '设备主动断开' })
    await until(async () => ((await storedState())?.presence === 'offline' ? true : undefined))
    expect((await logLines()).map(({ online }) => online)).toEqual([1, 0])
  })

  it('that connects twice keeps the newer socket, and the late close of the older one changes nothing', async () => {
    stopClock()
    const first = await connectOnlineDevice(router)
    const second = await connectOnlineDevice(router)
    expect((await first.end()).code).toBe(4001)
    expect(await logLines()).toHaveLength(1) // only log lines are delayed, against a burst of writes when a fleet reconnects
    later(30_001)
    await runDurableObjectAlarm(stub())
    expect(await logLines()).toHaveLength(3)
    expect((await presence()).state).toBe('online')
    second.send({ t: 'links', links: [] })
    await runInDurableObject(stub(), () => {})
    expect(second.closed).toBeNull()
  })

  it('that froze without a close is found by a lease check', async () => {
    stopClock()
    await connectOnlineDevice(router)
    later(PRESENCE.leaseMs - 1)
    await stub().checkLease()
    expect((await presence()).state).toBe('online')
    later(1)
    await stub().checkLease()
    expect(await presence()).toMatchObject({ state: 'offline', reason: '超过75秒没有心跳' })
  })

  it('that somebody watches is checked at the end of each lease alone', async () => {
    stopClock()
    const line = await connectOnlineDevice(router)
    const console = await connectViewer(stub(), createViewer(router))
    await console.next(isShown('router'))
    const leaseEnd = async () => ((await heardAt()) ?? 0) + PRESENCE.leaseMs
    const alarmAt = () => runInDurableObject(stub(), (_, { storage }) => storage.getAlarm())
    await runDurableObjectAlarm(stub())
    const checkAt = await leaseEnd()
    expect(await alarmAt()).toBe(checkAt)
    later(checkAt - 10_000 - Date.now())
    console.send({ type: 'ack', seq: 0 })
    line.send(counters(Date.now(), 0, 0))
    await until(async () => (await leaseEnd()) > checkAt || undefined)
    expect(await alarmAt()).toBe(checkAt)
    later(10_000)
    await runDurableObjectAlarm(stub())
    expect((await presence()).state).toBe('online')
    expect(await alarmAt()).toBe(await leaseEnd())
    later((await leaseEnd()) - Date.now())
    await runDurableObjectAlarm(stub())
    expect(await presence()).toMatchObject({ state: 'offline', reason: '超过75秒没有心跳' })
  })

  it('renews its lease by pings that do not wake the hub', async () => {
    const line = await connectOnlineDevice(router)
    const sentAt = Date.now()
    line.send('ping')
    const pingedAt = await runInDurableObject(stub(), async (_, state) =>
      until(() => state.getWebSocketAutoResponseTimestamp(state.getWebSockets('device')[0]!) ?? undefined),
    )
    expect(pingedAt.getTime()).toBeGreaterThanOrEqual(sentAt)
    expect(await heardAt()).toBe(pingedAt.getTime())
  })

  it('is still 在线 after hibernation of its hub', async () => {
    const line = await connectOnlineDevice(router)
    await evictDurableObject(stub())
    expect((await presence()).state).toBe('online')
    line.send({ t: 'links', links: [] })
    expect(await stub().requestReport()).toBe(true)
    await line.next((frame) => frame.t === 'command')
  })

  it('is given one lease to reconnect after a restart', async () => {
    stopClock()
    await connectOnlineDevice(router)
    await abortAllDurableObjects()
    expect((await presence()).state).toBe('online')
    later(PRESENCE.leaseMs - 1)
    await runDurableObjectAlarm(stub())
    expect((await presence()).state).toBe('online')
    later(1)
    await runDurableObjectAlarm(stub())
    expect((await presence()).state).toBe('offline')
  })

  it('that is back after a restart was never 离线, and has no line of it', async () => {
    await connectOnlineDevice(router)
    await abortAllDurableObjects()
    await presence()
    await connectOnlineDevice(router)
    later(31_000)
    await runDurableObjectAlarm(stub())
    expect((await presence()).state).toBe('online')
    expect((await logLines()).map(({ epoch, online }) => [epoch, online])).toEqual([[1, 1]])
  })

  it('is 抖动 after five changes', async () => {
    for (let i = 0; i < 4; i++)
      await connectOnlineDevice(router).then((line) =>
        until(async () => {
          line.socket.close(1000)
          return (await presence()).state === 'online' ? undefined : true
        }),
      )
    expect((await presence()).state).toBe('flapping')
  })

  it('that took turns with a copy is 在线 ten minutes after the copy is gone, for who looks on, by alarms alone', async () => {
    const turnMs = AGENT.takeoverRetryMs
    let device = await connectOnlineDevice(router)
    for (let turn = 0; turn < PRESENCE.flapChanges; turn++) {
      later(turnMs)
      device = await connectOnlineDevice(router)
    }
    expect(await presence()).toMatchObject({ state: 'flapping', reason: expect.stringContaining('重复设备') })
    const viewers = [
      await connectViewer(stub(), createViewer(router)),
      await connectViewer(accountStub(router), createViewer(router)),
    ] as const
    await viewers[0].next(isShown('router'))
    await viewers[1].next(isShown('account'))
    const since = Date.now()
    const nextAlarm = () => runInDurableObject(stub(), (_, { storage }) => storage.getAlarm())
    while ((await presence()).state === 'flapping' && Date.now() - since < 2 * PRESENCE.flapWindowMs) {
      const alarmAt = (await nextAlarm())!
      vi.setSystemTime(Math.min(alarmAt, Date.now() + PRESENCE.pingMs))
      device.send(counters(Date.now(), 0, 0))
      viewers[0].send({ type: 'ack', seq: viewers[0].frames.at(-1)?.seq })
      viewers[1].send({ type: 'ack', seq: viewers[1].frames.at(-1)?.seq })
      await until(() => heardAt().then((at) => (at === Date.now() ? true : undefined)))
      if (Date.now() === alarmAt) await runDurableObjectAlarm(stub())
    }
    const first = since - (PRESENCE.flapChanges - 1) * turnMs
    expect(Date.now()).toBe(first + PRESENCE.flapWindowMs)
    const isOnline = { state: 'online', reason: '', since: Date.now() }
    expect(await presence()).toMatchObject(isOnline)
    await until(() => viewers[0].frames.filter(isShown('router')).find((f) => f.data.presence.state === 'online'))
    const shown = () => viewers[1].frames.filter(isShown('routers')).flatMap(({ data }) => data)
    const last = await until(() => shown().find(({ presence: { state } }) => state === 'online'))
    expect(last).toMatchObject({ router_name: router.name, presence: isOnline })
    expect(await until(async () => ((await storedState())?.presence === 'online' ? true : undefined))).toBe(true)
  })

  it('that reconnects too often is closed with 4008 and retry_after', async () => {
    for (let i = 0; i < 30; i++) await connectDevice(router)
    const line = await connectDevice(router)
    expect(await line.end()).toEqual({ code: 4008, reason: 'retry_after=60' })
  })

  it('cannot use its token twice', async () => {
    await connectDevice(router, { tokenId: 'same' })
    expect((await (await connectDevice(router, { tokenId: 'same' })).end()).code).toBe(4003)
  })

  it('is closed with 4002 when its key is reset, and its state is kept', async () => {
    const line = await connectOnlineDevice(router)
    await db.update(devices).set({ publicKey: null, resetAt: 1 }).where(eq(devices.serial, router.name))
    await stub().refresh()
    expect((await line.end()).code).toBe(4002)
    expect(await until(async () => ((await presence()).state === 'reconnecting' ? true : undefined))).toBe(true)
  })

  it('is closed with 4002 when it is disabled', async () => {
    const line = await connectOnlineDevice(router)
    await db.update(routers).set({ status: 0 }).where(eq(routers.id, router.routerId))
    await stub().refresh()
    expect((await line.end()).code).toBe(4002)
    expect((await presence()).state).toBe('disabled')
  })

  it('is closed with 4002 when it is removed, and its state is deleted', async () => {
    const line = await connectOnlineDevice(router)
    await stub().remove()
    expect((await line.end()).code).toBe(4002)
    await runInDurableObject(stub(), async (_, state) => {
      expect(await state.storage.getAlarm()).toBeNull()
      expect([...state.storage.kv.list()]).toEqual([])
    })
  })
})

describe('hubs.md · frame of a device', () => {
  it.each([
    ['that is no JSON', 'nonsense', 4003],
    ['of a known kind with a wrong shape', '{"t":"links","links":[{"id":1}]}', 4003],
    ['larger than 64 KiB', JSON.stringify({ t: 'x', pad: 'x'.repeat(70_000) }), 4003],
    ['without a kind', '{}', 4003],
  ])('%s closes the socket', async (_, text, code) => {
    const line = await connectOnlineDevice(router)
    line.send(text)
    expect((await line.end()).code).toBe(code)
  })

  it('of an unknown kind is ignored', async () => {
    const line = await connectOnlineDevice(router)
    line.send('{"t":"from-the-future","x":1}')
    expect(await stub().requestReport()).toBe(true)
    await line.next((frame) => frame.t === 'command')
    expect(line.closed).toBeNull()
  })

  it('before hello closes the socket, and so does another serial', async () => {
    const early = await connectDevice(router)
    early.send({ t: 'links', links: [] })
    expect((await early.end()).code).toBe(4003)
    const other = await connectDevice(router)
    other.send({ ...createHello(router), serial: 'NL-OTHER' })
    expect((await other.end()).code).toBe(4003)
  })

  it('beyond twenty in a second, the hello among them, closes the socket', async () => {
    stopClock()
    const line = await connectOnlineDevice(router)
    for (let i = 0; i < 20; i++) line.send({ t: 'links', links: [] })
    expect((await line.end()).code).toBe(4008)
  })
})
