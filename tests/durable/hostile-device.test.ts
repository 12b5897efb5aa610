import { runInDurableObject } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { NetworkHub } from '#durable/network-hub/network-hub.ts'
import { CONFIG_PUSH, FAN_OUT_MS, ROUTER_OUTBOX, SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'
import { COUNTED_LINKS } from '#contract/device/counters.ts'
import type { AgentFrame } from '#contract/kernel/protocol.ts'
import { linkId } from '#domain/network/members/links.ts'
import { linkName } from '#durable/router-hub/traffic/traffic-reading.ts'
import {
  createHello,
  createHubNetwork,
  createViewer,
  connectOnlineDevice,
  connectViewer,
  counters,
  isFrame,
  isShown,
  routerStub,
  until,
  later,
  selectState,
} from './support.ts'
import { db } from '#tests/support/test-worker.ts'
import { holdTimers, stopClock } from './clock.ts'
import type { RouterState } from '#durable/router-hub/state/storage.ts'

/** In one second, beside its hello. */
const FRAMES = SOCKET_GUARD.framesPerSecond - 2

/** Writes to the hub's storage from now on, by key. */
async function countPuts(stub: ReturnType<typeof routerStub>): Promise<(key: string) => number> {
  const spy = await runInDurableObject(stub, (_, { storage }) =>
    vi.spyOn(Object.getPrototypeOf(storage.kv) as typeof storage.kv, 'put'),
  )
  onTestFinished(() => spy.mockRestore())
  return (key) => spy.mock.calls.filter(([written]) => written === key).length
}

/** Until the hub has handled the frame that leads to this state. */
const handled = (stub: ReturnType<typeof routerStub>, is: (state: RouterState) => boolean): Promise<true> =>
  until(() => runInDurableObject(stub, (hub) => is(hub['state']) || undefined))
const isFlushed = ({ outbox }: RouterState): boolean =>
  outbox.saved === outbox.change && outbox.notified === outbox.change

// Input of a device reaches lists and pages of its account, and must not be able to break them.

it('a version beyond the maximum is not the base of the next one', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!, { applied: { version: Number.MAX_SAFE_INTEGER, hash: 'x' } })
  const { version } = await device.next(isFrame('config'))
  expect(version).toBeLessThanOrEqual(CONFIG_PUSH.versionMax)
  expect((await routerStub(point!).traffic()).config.version).toBe(version)
})

it('reports of links that are not in its document are not stored', async () => {
  const network = await createHubNetwork(1)
  const [point] = network.points
  const device = await connectOnlineDevice(point!)
  const known = linkId(network.number, point?.name ?? '', network.center.name)
  const made = Array.from({ length: 200 }, (_, i) => ({ id: `made-up-${i}`, up: true, rtt_ms: 1 }))
  device.send({ t: 'links', links: [...made, { id: known, up: true, rtt_ms: 1 }] })
  const stored = () => runInDurableObject(routerStub(point!), (_, { storage }) => storage.kv.get<object>('links'))
  expect(Object.keys((await until(async () => (await stored()) ?? undefined)) as object)).toEqual([known])
})

it('counters of links that are not in its document are not stored, nor interfaces under the names of links', async () => {
  const network = await createHubNetwork(1)
  const [point] = network.points
  const device = await connectOnlineDevice(point!)
  const known = linkId(network.number, point?.name ?? '', network.center.name)
  const counter = { rx: 1, tx: 1, since_s: 0 }
  const made = Array.from({ length: COUNTED_LINKS - 1 }, (_, i) => [`${network.number}:made-up>${i}`, counter])
  device.send({
    ...counters(0, 0, 0),
    interfaces: { eth0: { rx: 1, tx: 1 }, [linkName('N1:P>A')]: { rx: 1, tx: 1 } },
    links: { ...Object.fromEntries(made), [known]: counter },
  } as AgentFrame)
  const names = () =>
    runInDurableObject(routerStub(point!), (_, { storage }) => storage.kv.get<{ names: string[] }>('interfaces')?.names)
  expect(await until(names)).toEqual(['eth0', linkName(known)])
  const tooMany = Object.fromEntries(Array.from({ length: COUNTED_LINKS + 1 }, (_, i) => [`x${i}`, counter]))
  device.send({ ...counters(1_000, 0, 0), links: tooMany } as AgentFrame)
  expect((await device.end()).code).toBe(4003)
})

it('a socket that was closed for its frames counts as closed at once, whether or not the device answers', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send('not a frame' as never)
  const isClosed = async () => {
    const { presence } = await routerStub(point!).traffic()
    return presence.state === 'reconnecting' && presence.reason === '设备发送的内容不符合协议' ? true : undefined
  }
  expect(await until(isClosed)).toBe(true)
})

it('a counter of an interface without a name closes the socket', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send({ t: 'counters', boot_id: 'b', at: 1, applied: null, interfaces: { '': { rx: 1, tx: 1 } } })
  expect((await device.end()).code).toBe(4003)
})

it('an invalid counter closes the socket and leaves no rate', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send(counters(0, 0, 0))
  device.send(counters(1_000, 1e308, 1))
  expect((await device.end()).code).toBe(4003)
  expect((await routerStub(point!).traffic()).data).toEqual({})
})

it('a counter beyond 2^53 starts over: its socket stays, and the readings after it give a rate', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  for (const [n, rx] of [2 ** 53 - 4_000, 2 ** 53 + 2_000, 2 ** 53 + 4_000, 2 ** 64].entries()) {
    later(1_000)
    device.send(counters(n * 1_000, rx, 0))
    await routerStub(point!).traffic()
  }
  const { data } = await routerStub(point!).traffic()
  expect(data['eth0']?.map(({ down }) => down)).toEqual([16_000])
  expect(device.closed).toBeNull()
})

it('facts that change with each frame are saved with the flushes of one window and once after it, and its peers read once', async () => {
  stopClock()
  const { center, points } = await createHubNetwork(1)
  const device = await connectOnlineDevice(center, { probe_port: 39_999 })
  await db.run(sql`create table counted (name text)`)
  for (const [table, column] of [
    ['update on router_states', 'router_id'],
    ['insert on hub_outbox', 'hub'],
  ] as const)
    await db.run(
      sql.raw(`create trigger count_${column} after ${table} begin insert into counted values (new.${column}); end`),
    )
  const count = async (name: string | number) =>
    (await db.all<[number]>(sql`select count(*) from counted where name = ${String(name)}`))[0]?.[0] ?? 0
  const savedPort = async () => (await selectState(center))?.probePort
  const timers = holdTimers(FAN_OUT_MS)
  for (let n = 0; n < FRAMES; n++) device.send(createHello(center, { probe_port: 40_000 + n }))
  await handled(routerStub(center), ({ device: facts }) => facts?.probePort === 40_000 + FRAMES - 1)
  later(ROUTER_OUTBOX.flushWindowMs)
  timers.release()
  await until(async () => (await savedPort()) === 40_000 + FRAMES - 1 || undefined)
  expect(await count(center.routerId)).toBeLessThanOrEqual(ROUTER_OUTBOX.flushes + 1)
  expect(await count(points[0]?.hub ?? '')).toBeLessThanOrEqual(1)
})

it('links that turn with each frame reach their network at once and at the end of the interval, as they are then', async () => {
  stopClock()
  const network = await createHubNetwork(1)
  const [point] = network.points
  const id = linkId(network.number, point?.name ?? '', network.center.name)
  const device = await connectOnlineDevice(point!)
  await connectOnlineDevice(network.center)
  await device.next(isFrame('config'))
  await handled(routerStub(point!), isFlushed)
  const reports = vi.spyOn(NetworkHub.prototype, 'linksReported')
  const timers = holdTimers(FAN_OUT_MS)
  for (let n = 0; n < FRAMES; n++) device.send({ t: 'links', links: [{ id, up: n % 2 === 1, rtt_ms: n }] })
  await handled(routerStub(point!), ({ links }) => links[id]?.rtt_ms === FRAMES - 1)
  await until(() => reports.mock.calls.length > 0 || undefined)
  timers.release()
  const last = () => reports.mock.calls.flatMap(([{ links }]) => links).at(-1)?.rttMs
  await until(() => last() === FRAMES - 1 || undefined)
  expect(reports).toHaveBeenCalledTimes(2)
})

it('a configuration that moves with each frame reaches viewers at once and at the end of the interval, as it is then', async () => {
  stopClock()
  const network = await createHubNetwork(1)
  const [point] = network.points
  const device = await connectOnlineDevice(point!)
  const { version, hash } = await device.next(isFrame('config'))
  device.send({ t: 'config_result', version, hash, state: 'confirmed' })
  const viewer = await connectViewer(routerStub(point!), createViewer(network))
  await viewer.next((frame) => frame.type === 'router' && frame.data.config.state === 'applied')
  const shown = () => viewer.frames.filter(isShown('router'))
  const before = shown().length
  viewer.socket.addEventListener('message', ({ data }) => {
    viewer.send({ type: 'ack', seq: (JSON.parse(String(data)) as { seq: number }).seq })
  })
  const timers = holdTimers(FAN_OUT_MS)
  for (let n = 0; n < FRAMES - 1; n++)
    device.send({ t: 'counters', boot_id: 'b', at: n, applied: n % 2 === 0 ? null : { version, hash }, interfaces: {} })
  device.send({ t: 'counters', boot_id: 'b', at: FRAMES, applied: { version: 7, hash: 'other' }, interfaces: {} })
  await handled(routerStub(point!), ({ config }) => config.applied?.version === 7)
  timers.release()
  await until(() => shown().at(-1)?.data.config.applied_version === 7 || undefined)
  expect(shown().length - before).toBeLessThanOrEqual(2)
})

it('reports that a device repeats on its next socket are stored at once, and the latest at the end of the interval', async () => {
  stopClock()
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  const { version, hash } = await device.next(isFrame('config'))
  device.send({ t: 'config_result', version, hash, state: 'confirmed' })
  await handled(routerStub(point!), ({ config }) => config.state === 'applied')
  const puts = await countPuts(routerStub(point!))
  const timers = holdTimers(FAN_OUT_MS)
  for (let n = 0; n < FRAMES - 1; n++)
    device.send(createHello(point!, { mac: `mac ${n}`, applied: n % 2 === 0 ? null : { version, hash } }))
  const isNewest = (facts: { readonly mac: string } | null | undefined) => facts?.mac === `mac ${FRAMES - 2}`
  await handled(routerStub(point!), (state) => isNewest(state.device))
  timers.release()
  await until(() =>
    runInDurableObject(routerStub(point!), (_, { storage }) => isNewest(storage.kv.get('device')) || undefined),
  )
  const allowed = 2 + ROUTER_OUTBOX.flushes // a flush stores the outbox, with all that has moved: before and after it
  expect(puts('device')).toBeLessThanOrEqual(allowed)
  expect(puts('config')).toBeLessThanOrEqual(allowed)
  expect(puts('outbox')).toBeLessThanOrEqual(allowed + ROUTER_OUTBOX.flushes)
})

it('frames that wait for their turn are handled before the close that follows them', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  for (let n = 0; n < FRAMES; n++) device.send(createHello(point!, { mac: `mac ${n}` }))
  device.socket.close(1000, 'bye')
  await until(async () => ((await routerStub(point!).traffic()).presence.state === 'reconnecting' ? true : undefined))
  const stored = await runInDurableObject(routerStub(point!), (_, { storage }) =>
    storage.kv.get<{ mac: string }>('device'),
  )
  expect(stored?.mac).toBe(`mac ${FRAMES - 1}`)
})
