import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { activationHash, newActivationCode } from '#security/device-secrets.ts'
import { certificatesOf, insertCertificate, revocationsOf } from '#tests/support/certificates/rows.ts'
import {
  type TestRouter,
  createMainAccount,
  createMany,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  networkRow,
  refreshed,
  toHubs,
  unique,
} from '#tests/support/fixtures.ts'
import { insertDevice, insertMember, insertNetwork } from '#tests/support/rows.ts'
import { call, db, hubCalls } from '#tests/support/test-worker.ts'

const VPN_STATE = { state: { vpn: 1 } } as const
const revokedIn = async (number: string) =>
  (await revocationsOf((await networkRow(number)).id)).map(({ serial }) => serial)

/** Account with a network of a centre, a point, a point without tunnels, and a second network beside it. */
async function createTunnels() {
  const main = await createMainAccount({ services: { network_member: 20 } })
  const create = () => createRouter(main.accountId, VPN_STATE)
  const [center, point, other, beside] = [await create(), await create(), await create(), await create()]
  const plain = await createRouter(main.accountId)
  const number = await createNetwork(main, [center, point, other, plain])
  await createNetwork(main, [beside])
  const certify = (router: TestRouter) => insertCertificate({ ...router, accountId: main.accountId })
  return { main, center, point, other, beside, plain, number, certify }
}

describe('design 8 · a certificate is revoked', () => {
  it('with its router, in the networks that this was in, and only their members with tunnels are refreshed', async () => {
    const size = inject('isFull') ? 1_000 : 60
    const main = await createMainAccount({ services: { network_member: size + 20 } })
    const all = await createMany(size, () => createRouter(main.accountId, VPN_STATE))
    const groups = Array.from({ length: size / 10 }, (_, i) => all.slice(i * 10, i * 10 + 10))
    const [gone] = groups[1]!.slice(-1)
    const networkIds: number[] = []
    for (const group of groups) {
      const { id: networkId } = await insertNetwork({ accountId: main.accountId })
      networkIds.push(networkId)
      for (const [i, { id: routerId }] of [...group, ...(networkIds.length === 4 ? [gone!] : [])].entries())
        await insertMember({ accountId: main.accountId, networkId, routerId, memberType: i === 0 ? 'center' : 'point' })
    }
    const serials = [
      await insertCertificate({ ...gone!, accountId: main.accountId }),
      await insertCertificate({ ...gone!, accountId: main.accountId }),
    ]
    const kept = await insertCertificate({ ...groups[1]![2]!, accountId: main.accountId })
    const since = hubCalls.length
    const reply = await main.call(routerApi.delete, { router_name: gone!.name })
    expect(reply).toMatchObject({ code: 200, trips: 2 })
    const expected = [...groups[1]!, ...groups[3]!].filter((router) => router !== gone)
    expect([...new Set(refreshed(since))]).toEqual(toHubs(...expected))
    for (const [i, id] of networkIds.entries()) {
      const revoked = (await revocationsOf(id)).map(({ serial }) => serial)
      expect(revoked.toSorted()).toEqual(i === 1 || i === 3 ? serials.toSorted() : [])
    }
    expect(await certificatesOf(gone!.name)).toMatchObject([
      { routerId: null, revokedAt: expect.any(Number) },
      { routerId: null, revokedAt: expect.any(Number) },
    ])
    expect(await certificatesOf(groups[1]![2]!.name)).toMatchObject([{ serial: kept, revokedAt: null }])
  })

  it('of several routers at once, and never by a software member', async () => {
    const { main, center, point, other, number, certify } = await createTunnels()
    const serials = [await certify(point), await certify(other)]
    const app = await createSoftwareRouter(main.accountId)
    const router_name = [point.name, other.name, app.name]
    const since = hubCalls.length
    expect(await main.call(routerApi.batchDelete, { router_name })).toMatchObject({ code: 200, trips: 2 })
    expect((await revokedIn(number)).toSorted()).toEqual(serials.toSorted())
    expect(refreshed(since)).toEqual(expect.arrayContaining([center.hub]))
  })

  it('with a device that is replaced; the one in its place has none', async () => {
    const { main, center, point, other, plain, number, certify } = await createTunnels()
    const serial = await certify(point)
    const username = unique('NL-').toUpperCase()
    const code = newActivationCode()
    await insertDevice({ serial: username, activationHash: await activationHash(env.HMAC_SECRET, username, code) })
    const since = hubCalls.length
    const reply = await main.call(routerApi.replace, { router_name: point.name, username, code })
    expect(reply).toMatchObject({ code: 200, trips: 2 })
    expect(await revokedIn(number)).toEqual([serial])
    expect(await certificatesOf(point.name)).toMatchObject([{ routerId: null }])
    const [row] = await db.select().from(routers).where(eq(routers.id, point.id))
    expect([...new Set(refreshed(since))].toSorted()).toEqual([row!.hub, center.hub, other.hub].toSorted())
    expect(refreshed(since)).not.toContain(plain.hub)
  })

  it('with a device whose key is reset, which has to send another request', async () => {
    const { point, center, other, number, certify } = await createTunnels()
    const serial = await certify(point)
    await db.update(routerStates).set({ certificateRequest: 'csr' }).where(eq(routerStates.routerId, point.id))
    const since = hubCalls.length
    expect(await call(opsApi.resetDevice, { serial: point.name })).toMatchObject({ code: 200 })
    expect(await revokedIn(number)).toEqual([serial])
    expect([...new Set(refreshed(since))].toSorted()).toEqual(toHubs(point, center, other))
    const [state] = await db.select().from(routerStates).where(eq(routerStates.routerId, point.id))
    expect(state).toMatchObject({ certificateRequest: null, vpn: 1 })
    const [device] = await db.select().from(devices).where(eq(devices.serial, point.name))
    expect(device?.publicKey).toBeNull()
  })
})

describe('design 8 · a certificate is not revoked', () => {
  it('with a member that is removed from a network or disabled, and not after its end', async () => {
    const { main, point, other, center, number, certify } = await createTunnels()
    for (const router of [point, other]) await certify(router)
    const expired = await insertCertificate({ ...center, accountId: main.accountId }, { expiresAt: Date.now() - 1 })
    expect(await main.call(networkApi.removeMember, { network_number: number, router_name: point.name })).toMatchObject(
      { code: 200 },
    )
    expect(await main.call(routerApi.updateStatus, { router_name: other.name, status: 0 })).toMatchObject({ code: 200 })
    await call(opsApi.resetDevice, { serial: center.name })
    expect(await revokedIn(number)).toEqual([])
    for (const { name } of [point, other]) expect(await certificatesOf(name)).toMatchObject([{ revokedAt: null }])
    expect(await certificatesOf(center.name)).toMatchObject([{ serial: expired, routerId: null }])
  })

  it('of another account with the same router id in a damaged database', async () => {
    const [own, foreign] = [await createTunnels(), await createTunnels()]
    const serial = await insertCertificate({ ...foreign.point, accountId: foreign.main.accountId })
    await own.main.call(routerApi.delete, { router_name: own.point.name })
    expect(await certificatesOf(foreign.point.name)).toMatchObject([{ serial, revokedAt: null }])
    expect(await revokedIn(foreign.number)).toEqual([])
  })
})
