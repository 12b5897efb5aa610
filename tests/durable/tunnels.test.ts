import { eq } from 'drizzle-orm'
import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { createConnect, Tunnels } from '#durable/directory-hub/connection/connect.ts'
import { createHubs } from '#durable/hubs.ts'
import type { DirectoryCandidate } from '#contract/ldap/hub.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routerStates } from '#db/schema/routers.ts'
import { db } from '#tests/support/test-worker.ts'
import { CANDIDATE, createTestDirectory } from '#tests/support/directory.ts'
import { failTunnel, openTunnel } from '#tests/support/tunnel-device.ts'
import { holdTimers } from './clock.ts'
import { connectOnlineDevice, createHubRouter, isFrame, routerStub } from './support.ts'

const ABLE = { capabilities: [TUNNEL.capability] }

/** An account with a directory that is reached through its router. */
async function createCompany() {
  const test = await createTestDirectory([], { isSaved: false })
  const { accountId } = test
  const [account] = await db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))
  const router = await createHubRouter({ accountId, accountHub: account?.hub ?? '' })
  await runInDurableObject(test.stub, (hub: DirectoryHub) => {
    const tunnels = new Tunnels(env, createHubs(env))
    Object.assign(hub, { tunnels, openDirectory: createConnect(env, tunnels.dialThrough) })
  })
  const candidate: DirectoryCandidate = {
    ...CANDIDATE,
    mode: 'private',
    routerId: router.routerId,
    host: '10.0.0.5',
    port: 389,
    security: 'none',
    caKey: null,
  }
  const target = { hub: test.hub, deviceId: router.deviceId }
  return { ...test, router, target, check: () => test.stub.check(candidate) }
}

describe('directory.md, Private mode · a router is asked for a tunnel', () => {
  it('offline, or with an agent that has none, it says so', async () => {
    const { router, check } = await createCompany()
    expect(await check()).toMatchObject({ refused: { key: 'LDAP_ROUTER_OFFLINE' } })
    await connectOnlineDevice(router)
    const { refused } = await check()
    expect(refused).toMatchObject({ key: 'LDAP_ROUTER_TOO_OLD' })
    expect(toMessage(refused!)).toBe('设备版本过低，请升级后再用于LDAP接入')
  })

  it('and the database knows before whether it can be', async () => {
    for (const [capabilities, tunnel] of [
      [[], 0],
      [ABLE.capabilities, 1],
    ] as const) {
      const { router } = await createCompany()
      const stored = async () => {
        const [row] = await db
          .select({ tunnel: routerStates.tunnel })
          .from(routerStates)
          .where(eq(routerStates.routerId, router.routerId))
        return row?.tunnel ?? null
      }
      expect(await stored()).toBeNull()
      await connectOnlineDevice(router, { capabilities: [...capabilities] })
      await expect.poll(stored).toBe(tunnel)
    }
  })

  it('at once, several times, whatever else it has to do', async () => {
    const { router } = await createCompany()
    const device = await connectOnlineDevice(router, ABLE)
    await routerStub(router).requestReport()
    const request = { host: '10.0.0.5', port: 389, expires_at: Date.now() + 30_000 }
    for (const ticket of ['a', 'b', 'c'])
      expect(await routerStub(router).openTunnel({ ...request, ticket })).toBe('asked')
    const tickets = () => device.frames.filter(isFrame('tunnel')).map(({ ticket }) => ticket)
    await expect.poll(tickets).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['not_allowed', 'LDAP_ROUTER_REFUSED'],
    ['busy', 'LDAP_ROUTER_BUSY'],
    ['name_unknown', 'LDAP_NAME_UNKNOWN'],
    ['refused', 'LDAP_REFUSED'],
    ['timeout', 'LDAP_TIMEOUT'],
    ['unreachable', 'LDAP_UNREACHABLE'],
  ] as const)('%s has its sentence: %s', async (reason, key) => {
    const { router, target, check } = await createCompany()
    const device = await connectOnlineDevice(router, ABLE)
    const checking = check()
    await failTunnel(device, target, reason)
    expect(await checking).toMatchObject({ refused: { key } })
  })

  it('says where it opened none', async () => {
    const timers = holdTimers(TUNNEL.openMs, TUNNEL.openMs)
    const { router, check } = await createCompany()
    const device = await connectOnlineDevice(router, ABLE)
    const checking = check()
    await device.next(isFrame('tunnel'))
    timers.release()
    expect(await checking).toMatchObject({ refused: { key: 'LDAP_ROUTER_SILENT' } })
  })
})

describe('directory.md, Private mode · a ticket', () => {
  it('is good once, for the device that was asked', async () => {
    const { router, target, hub, check } = await createCompany()
    const other = await createHubRouter({ accountId: router.accountId, accountHub: router.accountHub })
    const device = await connectOnlineDevice(router, ABLE)
    const checking = check()
    const { ticket } = await device.next(isFrame('tunnel'))
    expect((await openTunnel(hub, { deviceId: other.deviceId, ticket })).status).toBe(403)
    expect((await openTunnel(hub, { ...target, ticket: 'forged' })).status).toBe(403)
    const right = await openTunnel(hub, { ...target, ticket })
    expect(right.status).toBe(101)
    expect((await openTunnel(hub, { ...target, ticket })).status).toBe(403)
    right.webSocket?.accept()
    right.webSocket?.close(1000)
    expect(await checking).toMatchObject({ refused: { key: 'LDAP_CLOSED' } })
  })

  it.each([
    ['text that is no control frame', 'hello'],
    ['bytes beyond a frame', new Uint8Array(TUNNEL.frameBytes + 1)],
    ['credit for what was not sent', JSON.stringify({ t: 'credit', bytes: 1 })],
  ])('%s ends the tunnel', async (_, data) => {
    const { router, target, hub, check } = await createCompany()
    const device = await connectOnlineDevice(router, ABLE)
    const checking = check()
    const { ticket } = await device.next(isFrame('tunnel'))
    const { webSocket } = await openTunnel(hub, { ...target, ticket })
    webSocket?.accept()
    webSocket?.send(data)
    expect(await checking).toMatchObject({ refused: { key: 'LDAP_CLOSED' } })
  })
})
