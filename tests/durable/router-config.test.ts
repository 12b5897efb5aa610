import { createHash } from 'node:crypto'
import {
  abortAllDurableObjects,
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { type RouterState, loadDocument, saveDocument } from '#durable/router-hub/state/storage.ts'
import { HUB_READ } from '#contract/kernel/hub-limits.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { canonicalJson } from '#domain/network/compile/compile.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { runJobs } from '#jobs/jobs.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type TestRouter,
  connectDevice,
  createHubNetwork,
  createHubRouter,
  createAccount,
  connectOnlineDevice,
  createHello,
  isFrame,
  join,
  networkStub,
  routerStub,
  selectState,
  until,
  readNow,
  later,
} from './support.ts'
import { NETWORK } from '#contract/network/limits.ts'

const config = async (router: TestRouter) => (await routerStub(router).traffic()).config

describe('hubs.md, Configuration lifecycle · document', () => {
  it('is pushed to a connected device at once, and is applied when the device reports its hash', async () => {
    const { center, points } = await createHubNetwork(2)
    await readNow(routerStub(center))
    expect((await config(center)).state).toBe('queued')
    const line = await connectOnlineDevice(center)
    const pushed = await line.next(isFrame('config'))
    expect(createHash('sha256').update(canonicalJson(pushed.body)).digest('hex')).toBe(pushed.hash)
    expect(pushed.body.networks[0]?.links.map((link) => link.peer).toSorted()).toEqual(
      points.map((point) => point.name).toSorted(),
    )
    line.send({ t: 'config_result', version: pushed.version, hash: 'other', state: 'applied' })
    line.send({ t: 'config_result', version: pushed.version, hash: pushed.hash, state: 'received' })
    await until(async () => ((await config(center)).state === 'pushing' ? true : undefined))
    line.send({ t: 'config_result', version: pushed.version, hash: pushed.hash, state: 'applied' })
    await until(async () => ((await config(center)).state === 'applied' ? true : undefined))
    await until(async () => ((await selectState(center))?.configState === 'applied' ? true : undefined))
    expect(await selectState(center)).toMatchObject({ configVersion: 1, configAppliedVersion: 1 })
  })

  it('loses a network that was withdrawn after a long suspension, and gets it back when that is over', async () => {
    const { center, points, ...network } = await createHubNetwork(1)
    const lines = [await connectOnlineDevice(center), await connectOnlineDevice(points[0]!)]
    const set = async (columns: Partial<typeof networks.$inferInsert>) => {
      await db.update(networks).set(columns).where(eq(networks.hub, network.hub))
      await runJobs({ cron: '* * * * *', scheduledTime: 0 }, env)
    }
    /** Networks of the newest document of each device. */
    const documents = () => lines.map((line) => line.frames.filter(isFrame('config')).at(-1)?.body.networks.length)
    const linksShown = async () => (await networkStub(network).status(await revision())).links.length
    const revision = async () => (await db.select().from(networks).where(eq(networks.hub, network.hub)))[0]!.revision
    for (const router of [center, points[0]!]) await readNow(routerStub(router))
    await until(() => documents().every((count) => count === 1) || undefined)
    expect(await linksShown()).toBe(1)
    const days = NETWORK.suspensionDays * 86_400_000
    await set({ status: 0, suspendedAt: Date.now() - days + 60_000 })
    expect(documents()).toEqual([1, 1])
    await set({ suspendedAt: Date.now() - days })
    await until(() => documents().every((count) => count === 0) || undefined)
    expect(await linksShown()).toBe(0)
    const withdrawn = await networkStub(network).status(await revision())
    expect(withdrawn.members).toHaveLength(2)
    expect(withdrawn.health).toMatchObject({ state: 'down', cause: '组网已停用，设备配置已移除' })
    await evictDurableObject(networkStub(network))
    expect((await networkStub(network).status(await revision())).health.state).toBe('down')
    await set({ status: 1, suspendedAt: null })
    await until(() => documents().every((count) => count === 1) || undefined)
    expect(await linksShown()).toBe(1)
    expect((await networkStub(network).status(await revision())).health.state).not.toBe('down')
  })

  it('is sent after the welcome and before commands', async () => {
    const { center } = await createHubNetwork()
    await readNow(routerStub(center))
    const line = await connectOnlineDevice(center)
    await routerStub(center).requestReport()
    await line.next(isFrame('command'))
    expect(line.frames.map((frame) => frame.t)).toEqual(['welcome', 'config', 'command'])
  })

  it('is pushed only to routers whose hash changed', async () => {
    const { center, points } = await createHubNetwork(2)
    const [a, b] = [await connectOnlineDevice(center), await connectOnlineDevice(points[0]!)]
    const [first] = [await a.next(isFrame('config')), await b.next(isFrame('config'))]
    await readNow(routerStub(center))
    await readNow(routerStub(center))
    expect((await config(center)).version).toBe(first.version)
    expect(a.frames.filter(isFrame('config'))).toHaveLength(1)
  })

  it('that is edited five times within a second is pushed twice: the first and the last', async () => {
    const network = await createHubNetwork()
    const line = await connectOnlineDevice(network.center)
    await line.next(isFrame('config'))
    later(5_000)
    for (let i = 0; i < 5; i++) {
      await join(network, await createHubRouter(network), 'point')
      await readNow(routerStub(network.center))
    }
    later(1_001)
    await runDurableObjectAlarm(routerStub(network.center))
    const pushes = await until(() => {
      const found = line.frames.filter(isFrame('config'))
      return found.length >= 3 ? found : undefined
    })
    expect(pushes.map(({ version }) => version)).toEqual([1, 2, 6])
    expect(pushes.at(-1)?.body.networks[0]?.members).toHaveLength(7)
  })

  it('without networks takes the configuration off the device', async () => {
    const network = await createHubNetwork()
    const line = await connectOnlineDevice(network.points[0]!)
    await line.next(isFrame('config'))
    await db.delete(networkMembers).where(eq(networkMembers.routerId, network.points[0]!.routerId))
    later(5_000)
    await readNow(routerStub(network.points[0]!))
    const empty = await line.next((frame) => frame.t === 'config' && frame.version === 2)
    expect(empty).toMatchObject({ body: { networks: [] } })
  })

  it('may be larger than one stored value', async () => {
    const { center } = await createHubNetwork()
    const createBody = (members: number) => ({
      router_name: '总部',
      networks: [
        {
          network_number: '1234567890',
          member_type: 'center' as const,
          ciphers: 'default' as const,
          addresses: [],
          software_segment: null,
          members: Array.from({ length: members }, (_, i) => ({
            router_name: `门店𠮷${i}`,
            member_type: 'point' as const,
          })),
          links: [],
        },
      ],
    })
    await runInDurableObject(routerStub(center), (_, { storage }) => {
      for (const body of [createBody(60_000), createBody(3)]) {
        saveDocument(storage, body)
        expect(loadDocument(storage)).toEqual(body)
      }
      expect([...storage.kv.list({ prefix: 'document:' })]).toHaveLength(1)
    })
  })

  it('is nothing for a device that never was in a network', async () => {
    const router = await createHubRouter(await createAccount())
    const line = await connectOnlineDevice(router)
    await readNow(routerStub(router))
    expect(await config(router)).toMatchObject({ state: 'none', version: 0 })
    expect(line.frames).toMatchObject([{ t: 'welcome', desired: null }])
  })

  it('that the device refuses is pushed three times, then waits for a resend', async () => {
    const { center } = await createHubNetwork()
    const line = await connectOnlineDevice(center)
    for (let push = 1; push <= 3; push++) {
      const pushed = await until(() => line.frames.filter(isFrame('config'))[push - 1])
      const { version, hash } = pushed
      line.send({ t: 'config_result', version, hash, state: 'failed', reason: '磁盘已满' })
      await until(async () => ((await config(center)).state === 'pushing' ? undefined : true))
      later(60_000)
      line.send({ t: 'links', links: [] }) // alive
      await routerStub(center).traffic()
      await runDurableObjectAlarm(routerStub(center))
    }
    expect(await config(center)).toMatchObject({ state: 'unsynced', reason: '磁盘已满' })
    await routerStub(center).resend()
    await until(() => line.frames.filter(isFrame('config'))[3])
  })

  it('that the device refused is pushed again once it comes back with other capabilities, and not otherwise', async () => {
    const { center } = await createHubNetwork()
    await connectOnlineDevice(center)
    await readNow(routerStub(center))
    await runInDurableObject(routerStub(center), (hub) => {
      const { state } = hub as unknown as { state: RouterState }
      const config = { ...state.config, state: 'unsynced' as const, pushAt: null, answerBy: null, tries: 3 }
      hub['commit']({ ...state, config })
    })
    const same = await connectOnlineDevice(center)
    expect((await config(center)).state).toBe('unsynced')
    expect(same.frames.filter(isFrame('config'))).toEqual([])
    const upgraded = await connectOnlineDevice(center, { capabilities: ['ciphers:sm'] })
    await upgraded.next(isFrame('config'))
    expect((await config(center)).state).toBe('pushing')
  })

  it('is not pushed again to a device that repeats its hello on one socket, and no try is counted', async () => {
    const { center } = await createHubNetwork()
    const line = await connectOnlineDevice(center)
    const { version, hash } = await line.next(isFrame('config'))
    line.send({ t: 'config_result', version, hash, state: 'received' })
    for (let n = 0; n < 5; n++) line.send(createHello(center, { applied: null }))
    await until(() => line.frames.filter(isFrame('welcome')).length === 6 || undefined)
    const pushed = await runInDurableObject(routerStub(center), (hub) => hub['state'].config)
    expect(pushed).toMatchObject({ state: 'pushing', received: true, tries: 0 })
    expect(line.frames.filter(isFrame('config'))).toHaveLength(1)
  })

  it('survives sleep and restart of its hub', async () => {
    const { center } = await createHubNetwork()
    await readNow(routerStub(center))
    await evictDurableObject(routerStub(center))
    await abortAllDurableObjects()
    const line = await connectOnlineDevice(center)
    const pushed = await line.next(isFrame('config'))
    const again = await connectDevice(center)
    again.send(createHello(center, { applied: { version: pushed.version, hash: pushed.hash } }))
    await until(async () => ((await config(center)).state === 'applied' ? true : undefined))
    expect(again.frames.filter(isFrame('config'))).toEqual([])
  })

  it('is compiled by the alarm when the database was away', async () => {
    const { center } = await createHubNetwork()
    const run = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: overloaded'))
    await expect((async () => await routerStub(center).refresh())()).rejects.toThrow('overloaded')
    run.mockRestore()
    later(HUB_READ.retryMs)
    await runDurableObjectAlarm(routerStub(center))
    expect(await config(center)).toMatchObject({ state: 'queued', version: 1 })
  })

  it('of a point is compiled again when its centre gets another address', async () => {
    const { center, points } = await createHubNetwork()
    const point = await connectOnlineDevice(points[0]!)
    const before = await point.next(isFrame('config'))
    expect(before.body.networks[0]?.links[0]?.endpoint).toBeNull()
    await connectOnlineDevice(center, { probe_port: 4500 })
    const after = await point.next((frame) => frame.t === 'config' && frame.version > before.version)
    expect(after).toMatchObject({
      body: { networks: [{ links: [{ endpoint: { host: '203.0.113.7', port: 4500 } }] }] },
    })
    await until(async () =>
      (await db.select().from(hubOutbox)).some(({ hub }) => hub === points[0]!.hub) ? undefined : true,
    )
  })
})

describe('hubs.md, Connect · command', () => {
  it('waits for the device and is repeated until it is answered', async () => {
    const router = await createHubRouter(await createAccount())
    expect(await routerStub(router).requestReport()).toBe(false)
    const line = await connectOnlineDevice(router)
    expect(await routerStub(router).requestReport()).toBe(true)
    const asked = await line.next(isFrame('command'))
    const again = await connectOnlineDevice(router)
    expect((await again.next(isFrame('command'))).id).toBe(asked.id)
    again.send({ t: 'job_result', id: asked.id, state: 'done' })
    again.send({ t: 'job_result', id: 'nobody asked', state: 'done' })
    await until(async () => {
      const third = await connectOnlineDevice(router)
      await routerStub(router).checkLease()
      return third.frames.some(isFrame('command')) ? undefined : true
    })
  })
})
