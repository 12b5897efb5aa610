import { abortAllDurableObjects } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { connectionLogs } from '#db/schema/routers.ts'
import { repetitions } from '#tests/support/depth.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestRouter,
  connectDevice,
  createHubNetwork,
  createHello,
  isFrame,
  networkStub,
  until,
} from './support.ts'
import { stopClock } from './clock.ts'

const AGENTS = repetitions(200)
const AT_ONCE = 50
const MINUTE = 60_000

it(
  `a crash under ${AGENTS} devices moves no state and no document, and every one is back`,
  { timeout: 5 * MINUTE },
  async () => {
    stopClock() // no lease passes, however long a busy machine takes
    const network = await createHubNetwork(AGENTS - 1)
    const routers = [network.center, ...network.points]
    const applied = new Map<string, { version: number; hash: string }>()

    const first = await inTurns(routers, (router) => join(router, null))
    await inTurns(first, async ([router, line]) => {
      const { version, hash } = await until(() => line.frames.findLast(isFrame('config')), MINUTE)
      line.send({ t: 'config_result', version, hash, state: 'confirmed' })
      applied.set(router.name, { version, hash })
    })
    const before = await settled()

    await abortAllDurableObjects()
    const second = await inTurns(routers, (router) => join(router, applied.get(router.name) ?? null))
    expect(await settled()).toEqual(before)
    const lines = second.map(([, line]) => line)
    expect(lines.flatMap((line) => line.frames.filter(isFrame('config')))).toEqual([])
    expect(lines.filter((line) => line.closed)).toEqual([])
    const epochs = lines.flatMap((line) => line.frames.filter(isFrame('welcome')).map(({ epoch }) => epoch))
    expect(epochs).toEqual(routers.map(() => 2))
    const logs = await db.select().from(connectionLogs).where(eq(connectionLogs.accountId, network.accountId))
    expect(logs.filter(({ online, epoch }) => online === 0 || epoch !== 1)).toEqual([])

    /** Shown state of each member, once all are online with their document applied. */
    async function settled() {
      return until(async () => {
        const { members } = await networkStub(network).status(1)
        const isSettled = members.every(
          ({ presence, config }) => presence.state === 'online' && config.state === 'applied',
        )
        return isSettled ? members.map((m) => [m.router_name, m.presence.since, m.config.version]) : undefined
      }, MINUTE)
    }
  },
)

async function join(
  router: TestRouter,
  applied: { version: number; hash: string } | null,
): Promise<readonly [TestRouter, DeviceSocket]> {
  const line = await connectDevice(router)
  line.send(createHello(router, { applied }))
  await until(() => line.frames.find(isFrame('welcome')), MINUTE)
  return [router, line]
}

async function inTurns<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(run))))
  }
  return done
}
