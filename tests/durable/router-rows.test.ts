import { env, runDurableObjectAlarm } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { readRouter } from '#durable/router-hub/database.ts'
import { selectRouter } from '#features/router/sql/document-rows.ts'
import { HUB_READ } from '#contract/kernel/hub-limits.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { lanPort } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  createHubNetwork,
  createHubRouter,
  connectOnlineDevice,
  isFrame,
  join,
  routerStub,
  until,
  readNow,
} from './support.ts'

const POINTS = 30

describe('hubs.md, Configuration lifecycle · rows of a document', () => {
  it('are for a point its own and its centres’, for a centre all members', async () => {
    const { center, points } = await createHubNetwork(POINTS)
    const selectNames = async (hub: string) => (await selectRouter(db, hub)).members.map(({ routerName }) => routerName)
    expect((await selectNames(points[0]!.hub)).toSorted()).toEqual([center.name, points[0]!.name].toSorted())
    expect(await selectNames(center.hub)).toHaveLength(POINTS + 1)
  })

  it('are for a point found without those of other members, however many there are', async () => {
    const rowsRead = async (points: number) => {
      const network = await createHubNetwork(points)
      const batch = env.DB!.batch.bind(env.DB)
      let read = 0
      vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
        const results = await batch(statements)
        for (const { meta } of results) read += meta.rows_read
        return results as never
      })
      await selectRouter(db, network.points[0]!.hub)
      vi.restoreAllMocks()
      return read
    }
    const few = await rowsRead(2)
    expect(few).toBeGreaterThan(0)
    expect(await rowsRead(2 * POINTS)).toBe(few)
  })

  it('give a point the document that all rows would give it', async () => {
    const network = await createHubNetwork(3)
    const point = network.points[0]!
    const before = await readRouter(env, point.hub)
    const other = network.points[1]!
    await db.delete(networkMembers).where(eq(networkMembers.routerId, other.routerId))
    const after = await readRouter(env, point.hub)
    expect(after?.event.hash).toBe(before?.event.hash)
    await join(network, await createHubRouter(network), 'center')
    const changed = await readRouter(env, point.hub)
    expect(changed?.document.networks[0]?.links).toHaveLength(2)
    expect(changed?.event.hash).not.toBe(before?.event.hash)
  })
})

describe('hubs.md, Configuration lifecycle · centre with a new endpoint', () => {
  it('is in the hub outbox until its hub has answered', async () => {
    const { center, points } = await createHubNetwork(1)
    const [point] = points
    const device = await connectOnlineDevice(point!)
    await device.next(isFrame('config'))
    const batch = env.DB!.batch.bind(env.DB)
    vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
      const result = await batch(statements)
      // The point's hub cannot read its rows from the moment that the centre's state is saved.
      if ((await entriesBy(batch)).includes(point!.hub)) throw new Error('D1_ERROR: overloaded')
      return result as never
    })
    await connectOnlineDevice(center, { probe_port: 4500 })
    await until(async () => ((await entriesBy(batch)).includes(point!.hub) ? true : undefined))
    const [stored] = await batch([env.DB!.prepare('select kind, op from hub_outbox where hub = ?').bind(point!.hub)])
    expect(stored?.results).toEqual([{ kind: 'router', op: 'refresh' }])
  })

  async function entriesBy(batch: D1Database['batch']): Promise<string[]> {
    const [result] = await batch<{ hub: string }>([env.DB!.prepare('select hub from hub_outbox')])
    return (result?.results ?? []).map(({ hub }) => hub)
  }
})

describe('hubs.md, Hub outbox · resend', () => {
  it('compiles the rows first', async () => {
    const network = await createHubNetwork(1)
    const device = await connectOnlineDevice(network.center)
    const first = await device.next(isFrame('config'))
    const joined = await createHubRouter(network)
    await join(network, joined, 'point') // without a refresh
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
    await routerStub(network.center).resend()
    const pushed = await device.next((frame) => frame.t === 'config' && frame.version > first.version)
    vi.useRealTimers()
    expect(JSON.stringify(pushed)).toContain(joined.name)
    expect(device.frames.filter(isFrame('config'))).toHaveLength(2)
  })

  it('pushes a document that did not change once more', async () => {
    const network = await createHubNetwork(1)
    const device = await connectOnlineDevice(network.center)
    await device.next(isFrame('config'))
    await routerStub(network.center).resend()
    await until(() => (device.frames.filter(isFrame('config')).length === 2 ? true : undefined))
    expect(device.frames.filter(isFrame('config')).map(({ version }) => version)).toEqual([1, 1])
  })

  it('fails where the rows cannot be read, so that the outbox delivers it again', async () => {
    const { center } = await createHubNetwork(1)
    await readNow(routerStub(center))
    vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: overloaded'))
    await expect((async () => await routerStub(center).resend())()).rejects.toThrow('overloaded')
    vi.restoreAllMocks()
    await db
      .update(routers)
      .set({ name: `${center.name}x` })
      .where(eq(routers.id, center.routerId))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HUB_READ.retryMs })
    await runDurableObjectAlarm(routerStub(center))
    expect((await routerStub(center).traffic()).config.version).toBe(2)
  })
})

describe('hubs.md, Configuration lifecycle · device with other LANs', () => {
  it('declares them, and its centre lets them through', async () => {
    const { center, points } = await createHubNetwork(2)
    const [point, other] = points
    const lines = await Promise.all([connectOnlineDevice(center), connectOnlineDevice(other!)])
    await Promise.all(lines.map((line) => line.next(isFrame('config'))))
    const device = await connectOnlineDevice(point!, { interfaces: [lanPort('10.9.0.1/24', 0)] })
    const own = await device.next((frame) => frame.t === 'config' && (frame.body.lans?.length ?? 0) > 0)
    expect(own).toMatchObject({ body: { lans: [{ segment: '10.9.0.0/24', via: null }] } })
    const prefixes = (body: { networks: readonly { links: readonly { peer_prefixes?: unknown }[] }[] }) =>
      body.networks[0]?.links.map((link) => link.peer_prefixes)
    await lines[0]!.next(
      (frame) => frame.t === 'config' && JSON.stringify(prefixes(frame.body)).includes('10.9.0.0/24'),
    )
    expect(lines[1]!.frames.filter(isFrame('config'))).toHaveLength(1)
  })
})
