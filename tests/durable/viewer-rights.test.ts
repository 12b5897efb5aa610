import { and, eq } from 'drizzle-orm'
import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { SOCKET_GUARD, STREAM } from '#contract/kernel/hub-limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { sessions } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { runJobs } from '#jobs/jobs.ts'
import { randomHex } from '#security/secrets.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  accountStub,
  createHubNetwork,
  connectViewer,
  createAccount,
  isShown,
  networkStub,
  routerStub,
  until,
  createViewer,
  readNow,
} from './support.ts'
import { stopClock } from './clock.ts'

const limitedTo = (...networks: string[]) => ({ grants: { kind: 'ram' as const, flags: [], networks } })

describe('hubs.md, Live sockets · rights of a viewer', () => {
  it('limited to a network is closed when the router leaves it, and refused with an older ticket', async () => {
    const network = await createHubNetwork(1)
    const point = network.points[0]!
    const watch = (over = {}) => connectViewer(routerStub(point), createViewer(network, over))
    const [limited, other] = [await watch(limitedTo(network.number)), await watch()]
    await limited.next(isShown('history'))
    await db
      .delete(networkMembers)
      .where(and(eq(networkMembers.networkId, network.id), eq(networkMembers.routerId, point.routerId)))
    await readNow(routerStub(point))
    expect((await limited.end()).code).toBe(4004)
    const late = await watch(limitedTo(network.number))
    expect((await late.end()).code).toBe(4004)
    expect(late.frames).toEqual([])
    expect(other.closed).toBeNull()
  })

  it('limited to the network that a router left keeps it while it is in none', async () => {
    const network = await createHubNetwork(1)
    const point = network.points[0]!
    await db.delete(networkMembers).where(eq(networkMembers.routerId, point.routerId))
    await db.update(routers).set({ leftNetwork: network.number }).where(eq(routers.id, point.routerId))
    await readNow(routerStub(point))
    const watch = (number: string) => connectViewer(routerStub(point), createViewer(network, limitedTo(number)))
    const [own, foreign] = [await watch(network.number), await watch('another')]
    await own.next(isShown('history'))
    expect(own.closed).toBeNull()
    expect((await foreign.end()).code).toBe(4004)
  })

  it('is accepted where the router has just joined and its hub has not read that yet', async () => {
    const [network, before] = [await createHubNetwork(1), await createHubNetwork(1)]
    const point = before.points[0]!
    await readNow(routerStub(point))
    await db
      .update(networkMembers)
      .set({ networkId: network.id, host: 99 })
      .where(eq(networkMembers.routerId, point.routerId))
    const viewer = await connectViewer(routerStub(point), createViewer(before, limitedTo(network.number)))
    await viewer.next(isShown('history'))
    expect(viewer.closed).toBeNull()
  })

  it('of another account sees nothing', async () => {
    const network = await createHubNetwork(1)
    const other = await createAccount()
    for (const stub of [routerStub(network.center), networkStub(network), accountStub(network)]) {
      const viewer = await connectViewer(stub, createViewer(other))
      expect((await viewer.end()).code).toBe(4004)
      expect(viewer.frames).toEqual([])
    }
  })

  it('is closed when its session expires', async () => {
    const network = await createHubNetwork(1)
    const { id: sessionId } = network.main.session
    const watch = (over = {}) => connectViewer(networkStub(network), createViewer(network, over))
    const [viewer, other] = [await watch({ sessionId }), await watch()]
    await viewer.next(isShown('snapshot'))
    await db
      .update(sessions)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(sessions.id, sessionId))
    await runJobs({ cron: '* * * * *', scheduledTime: 0 }, env)
    expect((await viewer.end()).code).toBe(4004)
    expect(other.closed).toBeNull()
  })

  it('is refused beyond twenty sockets of its session, while another session may watch', async () => {
    const network = await createHubNetwork(1)
    const [one, another] = [randomHex(8), randomHex(8)]
    const watch = (sessionId: string) => connectViewer(networkStub(network), createViewer(network, { sessionId }))
    const own = []
    for (let i = 0; i < STREAM.socketsPerSession; i++) own.push(await watch(one))
    const [more, other] = [await watch(one), await watch(another)]
    expect((await more.end()).code).toBe(CLOSE.tooOften)
    await other.next(isShown('snapshot'))
    expect(own.filter(({ closed }) => closed !== null)).toEqual([])
    own[0]!.socket.close()
    await until(async () => {
      const again = await watch(one)
      return until(() => again.closed ?? again.frames[0]).then(
        (found) => ('code' in found && found.code === 200) || undefined,
      )
    })
  })

  it('that sends more frames than it may in one second is closed', async () => {
    stopClock()
    const network = await createHubNetwork(1)
    const viewer = await connectViewer(networkStub(network), createViewer(network))
    await viewer.next(isShown('snapshot'))
    for (let i = 0; i <= SOCKET_GUARD.framesPerSecond; i++) viewer.send({ type: 'ack', seq: i })
    expect((await until(() => viewer.closed ?? undefined)).code).toBe(4008)
  })
})
