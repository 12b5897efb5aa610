import { abortAllDurableObjects, env, evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { HUB_READ } from '#contract/kernel/hub-limits.ts'
import { routers } from '#db/schema/routers.ts'
import { insertOutboxEntries, deliverOutbox } from '#db/hub-outbox.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { createHubs } from '#durable/hubs.ts'
import { randomHex } from '#security/secrets.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  connectOnlineDevice,
  connectViewer,
  createHubNetwork,
  createHubRouter,
  createViewer,
  isFrame,
  isShown,
  join,
  networkStub,
  routerStub,
  until,
} from './support.ts'

const at = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now })
/** The clock stands still, ahead of the platform's, so that no alarm fires by itself; no lease has passed. */
function stopClock(): number {
  const now = Date.now() + 30_000
  at(now)
  return now
}

const addPoint = async (network: TestNetwork): Promise<void> => join(network, await createHubRouter(network), 'point')

/** Members in the document of that version, once the device has got it. */
async function pushedMembers(device: DeviceSocket, version: number): Promise<number | undefined> {
  const frame = await until(() => device.frames.filter(isFrame('config')).find((sent) => sent.version === version))
  return frame.body.networks[0]?.members.length
}

describe('hubs.md, Hub outbox · throttle of a router’s hub', () => {
  it('reads for the first of twenty edits at once, and for the others once at the end of the second', async () => {
    const network = await createHubNetwork()
    const device = await connectOnlineDevice(network.center)
    await device.next(isFrame('config'))
    const now = stopClock()
    const center = routerStub(network.center)
    await addPoint(network)
    await center.refresh()
    expect(await pushedMembers(device, 2)).toBe(3)
    for (let n = 0; n < 19; n++) await addPoint(network)
    const reads = vi.spyOn(env.DB!, 'batch')
    for (let n = 0; n < 19; n++) {
      at(now + n * 50)
      await center.refresh()
    }
    expect(reads).not.toHaveBeenCalled()
    at(now + HUB_READ.everyMs)
    await runDurableObjectAlarm(center)
    expect(await pushedMembers(device, 3)).toBe(22)
    expect(reads.mock.calls.length).toBeLessThanOrEqual(2) // and what the hub saves
  })

  it.each([
    ['an eviction', (hub: ReturnType<typeof routerStub>) => evictDurableObject(hub)],
    ['a crash', () => abortAllDurableObjects()],
  ])('loses no edit to %s: its outbox entry is gone, and the alarm reads', async (_, end) => {
    const network = await createHubNetwork()
    const now = stopClock()
    const { hub } = network.center
    const center = () => routerStub(network.center)
    await center().refresh()
    expect((await center().traffic()).config.version).toBe(1)
    await addPoint(network)
    const entry = { id: randomHex(16), kind: 'router', hub, op: 'refresh' } as const
    await insertOutboxEntries(db, [entry], now)
    await deliverOutbox(db, createHubs(env), [entry], now)
    expect(await db.select().from(hubOutbox).where(eq(hubOutbox.hub, hub))).toEqual([])
    expect((await center().traffic()).config.version).toBe(1)
    await end(center())
    at(now + HUB_READ.everyMs)
    await runDurableObjectAlarm(center())
    expect((await center().traffic()).config.version).toBe(2)
  })

  it('does not put off a resend, nor a viewer whom its rows do not know yet', async () => {
    const [network, other] = [await createHubNetwork(), await createHubNetwork()]
    stopClock()
    const center = routerStub(network.center)
    await center.refresh()
    await addPoint(network)
    await center.resend()
    expect((await center.traffic()).config.version).toBe(2)
    const to = { accountId: other.accountId }
    await db.update(routers).set(to).where(eq(routers.id, network.center.routerId))
    const viewer = await connectViewer(center, createViewer(other))
    await viewer.next(isShown('history'))
  })
})

describe('hubs.md, Hub outbox · throttle of a network’s hub', () => {
  it('sends its viewers one snapshot for all edits of a second but the first', async () => {
    const network = await createHubNetwork()
    const viewer = await connectViewer(networkStub(network), createViewer(network))
    await viewer.next(isShown('snapshot'))
    const now = stopClock()
    const hub = networkStub(network)
    await hub.refresh()
    const snapshots = () => viewer.frames.filter(isShown('snapshot'))
    await until(() => (snapshots().length === 2 ? true : undefined))
    viewer.send({ type: 'ack', seq: snapshots()[1]?.seq })
    for (let n = 0; n < 20; n++) {
      await addPoint(network)
      await hub.refresh()
    }
    at(now + HUB_READ.everyMs)
    await runDurableObjectAlarm(hub)
    await until(() => (snapshots().at(-1)?.data.members.length === 22 ? true : undefined))
    expect(snapshots()).toHaveLength(3)
  })

  it('answers for the revision that it is asked with all the same', async () => {
    const network = await createHubNetwork()
    stopClock()
    const hub = networkStub(network)
    await hub.refresh()
    await addPoint(network)
    await hub.refresh()
    expect((await hub.status(1)).members).toHaveLength(2)
    expect((await hub.status(2)).members).toHaveLength(3)
  })
})
