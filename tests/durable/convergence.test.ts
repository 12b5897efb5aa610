import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { ConfigPush } from '#durable/router-hub/state/config-push.ts'
import { routerStates } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { repetitions, seedsOf } from '#tests/support/depth.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  connectDevice,
  createHubNetwork,
  createHubRouter,
  createHello,
  evictSoon,
  isFrame,
  join,
  routerStub,
  until,
  readNow,
  later,
} from './support.ts'
import { FAN_OUT_MS, ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { holdTimers } from './clock.ts'

/** Fake device that implements the protocol; the hub, its storage and the database are real. */
class Device {
  running: { version: number; hash: string } | null = null
  highest = 0
  private line: DeviceSocket | null = null
  private read = 0
  private readonly router: Parameters<typeof connectDevice>[0]

  constructor(router: Parameters<typeof connectDevice>[0]) {
    this.router = router
  }

  async connect(): Promise<void> {
    this.line = await connectDevice(this.router)
    this.read = 0
    this.line.send(createHello(this.router, { applied: this.running }))
  }

  disconnect(): void {
    if (this.line && !this.line.closed) this.line.socket.close(1000)
    this.line = null
  }

  /** Applies received documents; `times` 2 sends each reply twice, 0 none. */
  receive(times: number): void {
    if (!this.line || this.line.closed) return
    const fresh = this.line.frames.slice(this.read)
    this.read = this.line.frames.length
    for (const { version, hash } of fresh.filter(isFrame('config'))) {
      if (version < this.highest) throw new Error('a version fell')
      this.highest = version
      this.running = { version, hash }
      for (let i = 0; i < times; i++) {
        for (const state of ['applied', 'received', 'confirmed'] as const)
          this.line.send({ t: 'config_result', version, hash, state })
      }
    }
  }
}

const actions = [
  'join',
  'leave',
  'connect',
  'disconnect',
  'receive',
  'receive twice',
  'receive without reply',
  'hibernate',
  'crash',
  'alarm',
  'timers',
  'fail',
] as const

it.each(seedsOf('configuration of a device'))(
  'under any order of events the device gets the newest document and the lists its state (seed %i)',
  async (seed) => {
    const timers = holdTimers(FAN_OUT_MS)
    /** Its save may wait for a timer of the account's hub. */
    const runAlarm = async (hub: ReturnType<typeof routerStub>) => {
      let isOver = false
      const alarm = runDurableObjectAlarm(hub).finally(() => (isOver = true))
      await until(async () => {
        timers.release()
        return isOver || undefined
      })
      await alarm
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...actions), { minLength: 5, maxLength: 25 }), async (script) => {
        const network = await createHubNetwork(1)
        const { center } = network
        const hub = () => routerStub(center)
        const device = new Device(center)
        const joined: number[] = []
        const run = {
          join: async () => {
            const router = await createHubRouter(network)
            await join(network, router, 'point')
            joined.push(router.routerId)
            await hub().refresh()
          },
          leave: async () => {
            await db.delete(networkMembers).where(eq(networkMembers.routerId, joined.pop() ?? 0))
            await hub().refresh()
          },
          connect: () => device.connect(),
          disconnect: async () => device.disconnect(),
          receive: async () => device.receive(1),
          'receive twice': async () => device.receive(2),
          'receive without reply': async () => device.receive(0),
          hibernate: () => evictSoon(hub()),
          crash: () => abortAllDurableObjects(),
          alarm: () => runAlarm(hub()),
          timers: async () => timers.release(),
          fail: async () => {
            const away = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('away'))
            await (async () => await hub().refresh())().catch(() => {})
            away.mockRestore()
          },
        }
        for (const action of script) await run[action]()

        await readNow(hub())
        await device.connect()
        await until(async () => {
          device.receive(1)
          const { config } = await hub().traffic()
          if (config.state === 'pushing') await runAlarm(hub())
          return config.state === 'applied' ? true : undefined
        })
        const { version, hash } = await runInDurableObject(hub(), (_, { storage }) =>
          storage.kv.get<ConfigPush>('config')!,
        )
        expect(device.running?.hash).toBe(hash)
        later(ROUTER_OUTBOX.flushWindowMs) // rows are written a few times in it
        const isShown = async () => {
          timers.release()
          const [row] = await db.select().from(routerStates).where(eq(routerStates.routerId, center.routerId))
          const isSettled = row?.configState === 'applied' && ['online', 'flapping'].includes(row.presence)
          return isSettled && row.configVersion === version && row.configAppliedVersion === version ? true : undefined
        }
        expect(await until(isShown)).toBe(true)
        vi.useRealTimers()
      }),
      { numRuns: repetitions(40), seed },
    )
  },
)
