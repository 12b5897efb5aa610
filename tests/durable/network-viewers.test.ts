import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  createHubNetwork,
  createHubRouter,
  connectOnlineDevice,
  isShown,
  join,
  networkStub,
  until,
  readNow,
  watchNetwork,
} from './support.ts'
import { FAN_OUT_MS, LEASE_ROUND } from '#contract/kernel/hub-limits.ts'
import { holdTimers } from './clock.ts'

describe('hubs.md, Live sockets · viewer of a network', () => {
  it('gets a snapshot, then deltas in order: one at once, one for all changes of the interval', async () => {
    const timers = holdTimers(FAN_OUT_MS, FAN_OUT_MS)
    const network = await createHubNetwork(6)
    await readNow(networkStub(network))
    const viewer = await watchNetwork(network)
    const snapshot = await viewer.next(isShown('snapshot'))
    expect(snapshot).toMatchObject({ code: 200, seq: snapshot.data.seq })
    await Promise.all(network.points.map((point) => connectOnlineDevice(point)))
    await until(async () => {
      const { members } = await networkStub(network).status(1)
      return members.filter(({ presence }) => presence.state === 'online').length === 6 || undefined
    })
    timers.release()
    await until(() => {
      const names = viewer.frames.filter(isShown('delta')).flatMap((d) => d.data.members.map((m) => m.router_name))
      return new Set(names).size === 6 ? true : undefined
    })
    const seqs = viewer.frames.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, i) => snapshot.seq + i))
    expect(viewer.frames.length).toBeLessThanOrEqual(3)
  })

  it('gets members that join and leave', async () => {
    const network = await createHubNetwork(1)
    const viewer = await watchNetwork(network)
    const before = viewer.frames.length
    await join(network, await createHubRouter(network), 'point')
    await db.delete(networkMembers).where(eq(networkMembers.routerId, network.points[0]!.routerId))
    await readNow(networkStub(network))
    await viewer.next(isShown('membership'), before)
    const { data } = await viewer.next(isShown('snapshot'), before + 1)
    expect(data.members).toHaveLength(2)
    expect(data.members.some((m) => m.router_name === network.points[0]!.name)).toBe(false)
  })

  it('that is behind catches up with a snapshot, and a gap can ask for one', async () => {
    const network = await createHubNetwork(1)
    const viewer = await watchNetwork(network)
    for (let i = 0; i < 6; i++) await readNow(networkStub(network))
    await until(() => (viewer.frames.length === 4 ? true : undefined))
    viewer.send({ type: 'ack', seq: 1e9 })
    const { seq } = await networkStub(network).status(1)
    const caught = await viewer.next((frame) => frame.type === 'snapshot' && frame.seq === seq)
    viewer.send({ type: 'ack', seq: caught.seq })
    viewer.send({ type: 'snapshot' })
    const isTwice = () => viewer.frames.filter(({ seq: n }) => n === seq).length === 2
    expect(await until(() => (isTwice() ? true : undefined))).toBe(true)
  })

  it('names the members of its page, of which the next round asks first, also after hibernation', async () => {
    const network = await createHubNetwork(3)
    const viewer = await watchNetwork(network)
    const names = network.points.map(({ name }) => name)
    viewer.send({ type: 'visible', members: names.slice(1) })
    const readVisible = () => runInDurableObject(networkStub(network), (_, { storage }) => storage.kv.get('visible'))
    expect(await until(readVisible)).toEqual(names.slice(1))
    await evictDurableObject(networkStub(network))
    viewer.send({ type: 'visible', members: names.slice(0, 1) })
    await until(async () => ((await readVisible()) as string[]).length === 3 || undefined)
    expect(await readVisible()).toEqual([names[0], ...names.slice(1)])
    viewer.send({ type: 'visible', members: Array.from({ length: LEASE_ROUND.visible + 1 }, (_, i) => `R${i}`) })
    expect((await viewer.end()).code).toBe(4003)
  })

  it('gets no second copy of what it has acknowledged, also after hibernation', async () => {
    const network = await createHubNetwork(1)
    const viewer = await watchNetwork(network)
    await connectOnlineDevice(network.center)
    const delta = await viewer.next(isShown('delta'))
    await evictDurableObject(networkStub(network))
    viewer.send({ type: 'ack', seq: delta.seq })
    await networkStub(network).status(1)
    await networkStub(network).status(1)
    expect(viewer.frames.filter(isShown('snapshot'))).toHaveLength(1)
  })

  it('that was behind when the hub hibernated catches up all the same', async () => {
    const network = await createHubNetwork(1)
    const viewer = await watchNetwork(network)
    for (let i = 0; i < 6; i++) await readNow(networkStub(network))
    await evictDurableObject(networkStub(network))
    viewer.send({ type: 'ack', seq: 0 })
    const { seq } = await networkStub(network).status(1)
    expect(await viewer.next((frame) => frame.type === 'snapshot' && frame.seq === seq)).toMatchObject({ code: 200 })
  })

  it('is closed with 4002 when the network is deleted', async () => {
    const network = await createHubNetwork(1)
    const viewer = await watchNetwork(network)
    await db.delete(networks).where(eq(networks.id, network.id))
    await networkStub(network).remove()
    expect((await viewer.end()).code).toBe(4002)
  })

  it('sees monotonic frame numbers, also over hibernation and crashes of the hub', async () => {
    const network = await createHubNetwork(1)
    let last = 0
    for (let i = 0; i < 4; i++) {
      await readNow(networkStub(network))
      const { seq } = await networkStub(network).status(1)
      expect(seq).toBeGreaterThan(last)
      last = seq
      if (i % 2 === 0) await abortAllDurableObjects()
      else await evictDurableObject(networkStub(network))
    }
  })
})
