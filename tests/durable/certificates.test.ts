import { env, runDurableObjectAlarm } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { CERTIFICATE, VPN } from '#contract/device/limits.ts'
import type { OutboxEntry } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import { revocations } from '#db/schema/authorities.ts'
import { networkMembers, pointLinks } from '#db/schema/networks.ts'
import { devices, routers } from '#db/schema/routers.ts'
import { readRouter } from '#durable/router-hub/database.ts'
import { blankRouter, unknownDevice } from '#durable/router-hub/state/storage.ts'
import { deleteAuthority } from '#features/router/sql/certificates.ts'
import { revokeCertificates } from '#features/network/sql/revocations.ts'
import { controlKey } from '#security/device-secrets.ts'
import { authoritiesOf, certificatesOf, listsOf } from '#tests/support/certificates/rows.ts'
import { createRequestPem } from '#tests/support/certificates/requests.ts'
import { verify } from '#tests/support/certificates/openssl.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestRouter,
  claim,
  connectOnlineDevice,
  createHello,
  createHubNetwork,
  createHubRouter,
  isFrame,
  join,
  later,
  readNow,
  routerStub,
  selectState,
  until,
} from './support.ts'

const DAY = 24 * 3_600_000
const CAPABILITIES = [VPN.capability]

/** State of a hub whose device runs tunnels and has sent this request. */
const knownDevice = (csr: string | null) => ({
  ...blankRouter,
  device: { ...unknownDevice, capabilities: CAPABILITIES, csr },
})

const readKeysOf = async ({ hub }: TestRouter, csr: string | null) => {
  const read = await readRouter(env, hub, knownDevice(csr))
  const [authority] = read?.document.authorities ?? []
  const [network] = read?.document.networks ?? []
  if (!read || !authority || !network) throw new Error('no keys')
  const { ca, certificate } = authority
  const chain = { ca, certificate: certificate ?? '', list: network.revoked! }
  return { ...read, authority, network, certificate, chain }
}

const newestConfig = (device: DeviceSocket) => device.frames.findLast(isFrame('config'))
const withCertificate = (device: DeviceSocket, from = '') =>
  until(() => {
    const body = newestConfig(device)?.body
    const certificate = body?.authorities?.[0]?.certificate
    return certificate && certificate !== from ? { body, certificate } : undefined
  })

describe('keys in the document', () => {
  it('of a device that runs its tunnels are signed at its hello, and verified by OpenSSL', async () => {
    const network = await createHubNetwork(1)
    const csr = await createRequestPem()
    const device = await connectOnlineDevice(network.points[0]!, { capabilities: CAPABILITIES, csr })
    const { body, certificate } = await withCertificate(device)
    const [authority] = body.authorities!
    const [own] = body.networks
    expect(own).toMatchObject({ authority: authority!.id })
    expect(own?.control_key).toHaveLength(512)
    expect(own?.revoked).toContain('-----BEGIN X509 CRL-----\n')
    const chain = { ca: authority!.ca, certificate, list: own!.revoked! }
    expect((await verify(chain, 'sslclient')).text).toContain('own.pem: OK')
    expect((await verify(chain, 'sslserver')).isDone).toBe(false)
    expect(await certificatesOf(network.points[0]!.name)).toMatchObject([{ isServer: 0, certificate }])
    await until(async () => ((await selectState(network.points[0]!))?.vpn === 1 ? true : undefined))
    expect(await selectState(network.points[0]!)).toMatchObject({ certificateRequest: csr, certificateRefusal: null })
  })

  it('of a device without tunnels are absent, also with a request', async () => {
    const { points } = await createHubNetwork(1)
    const before = await readRouter(env, points[0]!.hub)
    const known = knownDevice(await createRequestPem())
    const after = await readRouter(env, points[0]!.hub, { ...known, device: { ...known.device, capabilities: [] } })
    expect(after?.event.hash).toBe(before?.event.hash)
    expect(JSON.stringify(after?.document)).not.toMatch(/authorit|control_key|revoked/)
    expect(await authoritiesOf(points[0]!.accountId)).toEqual([])
  })

  it('cost no round trip while nothing is to be signed', async () => {
    const { points } = await createHubNetwork(1)
    const csr = await createRequestPem()
    const first = await readKeysOf(points[0]!, csr)
    const trips = vi.spyOn(env.DB!, 'batch')
    const again = await readKeysOf(points[0]!, csr)
    expect(trips).toHaveBeenCalledTimes(1)
    expect(again.event.hash).toBe(first.event.hash)
    expect(again.event.router.changesAt).toBe(first.event.router.changesAt)
  })

  it('have the control key of the network alone', async () => {
    const network = await createHubNetwork(1)
    const one = await readKeysOf(network.center, await createRequestPem())
    const other = await readKeysOf(network.points[0]!, await createRequestPem())
    expect(one.network.control_key).toBe(other.network.control_key)
    expect(controlKey('ab')).not.toBe(controlKey('ac'))
  })

  it('are absent in no network, and of a device whose key was reset', async () => {
    const { points } = await createHubNetwork(1)
    const alone = await createHubRouter(points[0]!)
    const known = knownDevice(await createRequestPem())
    expect((await readRouter(env, alone.hub, known))?.document.authorities).toBeUndefined()
    await db.update(devices).set({ publicKey: null }).where(eq(devices.id, points[0]!.deviceId))
    expect((await readRouter(env, points[0]!.hub, known))?.document.authorities).toBeUndefined()
    expect(await certificatesOf(points[0]!.name)).toEqual([])
  })
})

describe('an authority', () => {
  it('is made once by many routers that need it at the same time, and their lists agree', async () => {
    const { points, center, accountId, id } = await createHubNetwork(7)
    const all = [center, ...points]
    const requests = await Promise.all(all.map(() => createRequestPem()))
    const read = await Promise.all(all.map((router, i) => readKeysOf(router, requests[i]!)))
    const stored = await authoritiesOf(accountId)
    expect(stored).toHaveLength(1)
    expect(new Set(read.map(({ authority }) => authority.ca))).toEqual(new Set([stored[0]!.certificate]))
    expect(new Set(read.map(({ network }) => network.revoked))).toEqual(new Set([(await listsOf(id))[0]!.list]))
    const verdicts = await Promise.all(read.map(({ chain }) => verify(chain, 'sslclient')))
    expect(verdicts.every(({ isDone }) => isDone)).toBe(true)
  })

  it('of an account has no certificate that another account accepts', async () => {
    const [own, other] = [await createHubNetwork(1), await createHubNetwork(1)]
    const mine = await readKeysOf(own.points[0]!, await createRequestPem())
    const foreign = await readKeysOf(other.points[0]!, await createRequestPem())
    expect((await verify({ ...foreign.chain, certificate: mine.certificate! }, 'sslclient')).isDone).toBe(false)
    expect((await verify({ ca: foreign.authority.ca, certificate: mine.certificate! }, 'sslclient')).isDone).toBe(false)
  })
})

describe('an authority that the operator has ended', () => {
  it('is followed by another with the next read, under which no earlier certificate is accepted', async () => {
    const { points, accountId } = await createHubNetwork(2)
    const csr = await createRequestPem()
    const before = await readKeysOf(points[0]!, csr)
    const other = await readKeysOf(points[1]!, await createRequestPem())
    await batch(db, deleteAuthority(db, accountId))
    const after = await readKeysOf(points[0]!, csr)
    expect(after.authority.id).not.toBe(before.authority.id)
    expect((await verify(after.chain, 'sslclient')).text).toContain('OK')
    expect((await verify({ ...after.chain, certificate: other.certificate! }, 'sslclient')).isDone).toBe(false)
  })
})

describe('a certificate', () => {
  it('is signed anew for a router that becomes a centre, and not back', async () => {
    const network = await createHubNetwork(1)
    const [point] = network.points
    const csr = await createRequestPem()
    const before = await readKeysOf(point!, csr)
    expect((await verify(before.chain, 'sslserver')).isDone).toBe(false)
    const setType = (memberType: 'center' | 'point') =>
      db
        .update(networkMembers)
        .set({ memberType, segmentIndex: memberType === 'center' ? 7 : null })
        .where(eq(networkMembers.routerId, point!.routerId))
    await setType('center')
    const after = await readKeysOf(point!, csr)
    expect((await verify(after.chain, 'sslserver')).text).toContain('OK')
    await setType('point')
    expect((await readKeysOf(point!, csr)).certificate).toBe(after.certificate)
    expect(await certificatesOf(point!.name)).toMatchObject([{ isGateway: 0 }, { isServer: 1, isGateway: 1 }])
  })

  it('is signed anew as a server, without the mark of a gateway, for the end that answers a point link', async () => {
    const network = await createHubNetwork(2)
    const [server, client] = network.points
    const requests = [await createRequestPem(), await createRequestPem()] as const
    await readKeysOf(server!, requests[0])
    const before = await readKeysOf(client!, requests[1])
    await db.insert(pointLinks).values({
      accountId: network.accountId,
      networkId: network.id,
      serverId: server!.routerId,
      clientId: client!.routerId,
      gateway: '172.31.0.0',
      mask: 30,
      port: 24_000,
    })
    const after = await readKeysOf(server!, requests[0])
    expect((await verify(after.chain, 'sslserver')).text).toContain('OK')
    expect(await certificatesOf(server!.name)).toMatchObject([{ isServer: 0 }, { isServer: 1, isGateway: 0 }])
    expect((await readKeysOf(client!, requests[1])).certificate).toBe(before.certificate)
  })

  it('is renewed by the alarm 60 days before its end', async () => {
    const { points } = await createHubNetwork(1)
    const [point] = points
    const device = await connectOnlineDevice(point!, { capabilities: CAPABILITIES, csr: await createRequestPem() })
    const { certificate } = await withCertificate(device)
    later(CERTIFICATE.validMs - 61 * DAY)
    await runDurableObjectAlarm(routerStub(point!))
    expect(await certificatesOf(point!.name)).toHaveLength(1)
    vi.useRealTimers()
    later(CERTIFICATE.validMs - 59 * DAY)
    await runDurableObjectAlarm(routerStub(point!))
    const [, renewed] = await until(async () => {
      const rows = await certificatesOf(point!.name)
      return rows.length === 2 ? rows : undefined
    })
    expect(renewed!.certificate).not.toBe(certificate)
    expect(renewed!.expiresAt - Date.now()).toBeGreaterThan(396 * DAY)
  })

  it('is signed for another request at once, and at most eight times a day', async () => {
    const { points } = await createHubNetwork(1)
    const [point] = points
    const device = await connectOnlineDevice(point!, { capabilities: CAPABILITIES, csr: await createRequestPem() })
    const { certificate } = await withCertificate(device)
    const csr = await createRequestPem()
    device.send(createHello(point!, { capabilities: CAPABILITIES, csr }))
    const second = await withCertificate(device, certificate)
    for (let i = 2; i < CERTIFICATE.requestsPerDay; i++) await readKeysOf(point!, await createRequestPem())
    const last = await readKeysOf(point!, await createRequestPem())
    expect(await certificatesOf(point!.name)).toHaveLength(CERTIFICATE.requestsPerDay)
    expect(last.event.router.refusal).toMatchObject({ reason: '更换密钥过于频繁' })
    expect(last.event.router.changesAt).toBeGreaterThan(Date.now())
    expect(second.certificate).not.toBe(last.certificate)
  })

  it('is not signed for a bad request, which is checked once; a good one ends the refusal', async () => {
    const { points } = await createHubNetwork(1)
    const [point] = points
    const csr = await createRequestPem({ name: [{ CN: ['NL-other'] }] })
    const device = await connectOnlineDevice(point!, { capabilities: CAPABILITIES, csr })
    const refused = await until(async () => {
      const state = await selectState(point!)
      return state?.certificateRefusal ? state : undefined
    })
    expect(refused).toMatchObject({ certificateRefusal: '设备名称不符', certificateRefusedAt: expect.any(Number) })
    const pushed = await until(() => newestConfig(device))
    expect(pushed.body.authorities).toMatchObject([{ certificate: null }])
    const trips = vi.spyOn(env.DB!, 'batch')
    await readNow(routerStub(point!))
    expect(trips).toHaveBeenCalledTimes(1)
    device.send(createHello(point!, { capabilities: CAPABILITIES, csr: await createRequestPem() }))
    await withCertificate(device)
    await until(async () => ((await selectState(point!))?.certificateRefusal === null ? true : undefined))
  })

  it('is not stored if the router has got another hub or its key was reset meanwhile', async () => {
    const { points } = await createHubNetwork(2)
    const changes = [
      () => db.update(routers).set({ hub: 'wnam.ffff' }).where(eq(routers.id, points[0]!.routerId)),
      () => db.update(devices).set({ publicKey: null }).where(eq(devices.id, points[1]!.deviceId)),
    ]
    for (const [i, change] of changes.entries()) {
      const batch = env.DB!.batch.bind(env.DB)
      let calls = 0
      vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
        calls += 1
        if (calls === 3) {
          vi.restoreAllMocks()
          await change()
        }
        return batch(statements) as never
      })
      await readRouter(env, points[i]!.hub, knownDevice(await createRequestPem())).catch(() => {})
      expect(calls).toBe(3)
      expect(await certificatesOf(points[i]!.name)).toEqual([])
    }
  })
})

describe('a revocation', () => {
  const revoke = async ({ accountId, routerId }: TestRouter) => {
    const hubOutbox: OutboxEntry[] = []
    await batch(db, revokeCertificates({ db, now: Date.now(), hubOutbox }, accountId, [routerId]))
    return hubOutbox
  }

  it('is in the lists of the networks that the device was in, once for all of them', async () => {
    const network = await createHubNetwork(3)
    const [gone, ...others] = network.points
    const { chain } = await readKeysOf(gone!, await createRequestPem())
    expect((await verify(chain, 'sslclient')).text).toContain('OK')
    const requests = await Promise.all(others.map(() => createRequestPem()))
    const before = await Promise.all(others.map((router, i) => readKeysOf(router, requests[i]!)))
    await revoke(gone!)
    const after = await Promise.all(others.map((router, i) => readKeysOf(router, requests[i]!)))
    const [list, ...same] = after.map(({ network: own }) => own.revoked!)
    expect(same).toEqual([list])
    expect(list).not.toBe(before[0]!.network.revoked)
    expect((await verify({ ...chain, list: list! }, 'sslclient')).text).toContain('certificate revoked')
    expect((await verify(after[0]!.chain, 'sslclient')).text).toContain('OK')
    expect(after[0]!.certificate).toBe(before[0]!.certificate)
  })

  it('after a swept one is still newer than the list', async () => {
    const { points, id } = await createHubNetwork(3)
    const [first, second, third] = points
    for (const router of [first!, second!]) await readKeysOf(router, await createRequestPem())
    const csr = await createRequestPem()
    await revoke(first!)
    await readKeysOf(third!, csr)
    await db.delete(revocations).where(eq(revocations.networkId, id)) // expired
    const { network } = await readKeysOf(third!, csr)
    await revoke(second!)
    expect((await readKeysOf(third!, csr)).network.revoked).not.toBe(network.revoked)
  })

  it('gives the same device another certificate when it asks again', async () => {
    const { points } = await createHubNetwork(1)
    const csr = await createRequestPem()
    const before = await readKeysOf(points[0]!, csr)
    await revoke(points[0]!)
    const after = await readKeysOf(points[0]!, csr)
    expect(after.certificate).not.toBe(before.certificate)
    expect((await verify({ ...after.chain, certificate: before.certificate! }, 'sslclient')).text).toContain('revoked')
    expect((await verify(after.chain, 'sslclient')).text).toContain('OK')
  })

  it('keeps a device that another account has claimed out of where it was, with all its keys', async () => {
    const [own, other] = [await createHubNetwork(2), await createHubNetwork(1)]
    const [gone, left] = own.points
    const csr = await createRequestPem()
    const before = await readKeysOf(gone!, csr)
    await revoke(gone!)
    await db.delete(networkMembers).where(eq(networkMembers.routerId, gone!.routerId))
    await db.delete(routers).where(eq(routers.id, gone!.routerId))
    const claimed = await claim(other, gone!)
    await join(other, claimed, 'point')
    const after = await readKeysOf(claimed, csr) // the same key, and no word of the device
    const { chain } = await readKeysOf(left!, await createRequestPem())
    expect((await verify(after.chain, 'sslclient')).text).toContain('OK')
    for (const certificate of [before.certificate!, after.certificate!])
      expect((await verify({ ...chain, certificate }, 'sslclient')).isDone).toBe(false)
    expect((await verify({ ...after.chain, certificate: before.certificate! }, 'sslclient')).isDone).toBe(false)
  })

  it('is followed by no signature for the request of a key that was reset', async () => {
    const { points } = await createHubNetwork(1)
    const [point] = points
    const device = await connectOnlineDevice(point!, { capabilities: CAPABILITIES, csr: await createRequestPem() })
    await withCertificate(device)
    await revoke(point!)
    await db.update(devices).set({ publicKey: null, resetAt: Date.now() }).where(eq(devices.id, point!.deviceId))
    await readNow(routerStub(point!))
    await db.update(devices).set({ publicKey: '{}', resetAt: null }).where(eq(devices.id, point!.deviceId))
    await readNow(routerStub(point!))
    expect(await certificatesOf(point!.name)).toMatchObject([{ routerId: null }])
  })
})

describe('a hub without state', () => {
  it('gives the same certificate by the row of its device', async () => {
    const network = await createHubNetwork(1)
    const [point] = network.points
    const device = await connectOnlineDevice(point!, { capabilities: CAPABILITIES, csr: await createRequestPem() })
    const { certificate } = await withCertificate(device)
    await until(async () => ((await selectState(point!))?.vpn === 1 ? true : undefined))
    const read = await readRouter(env, point!.hub)
    expect(read?.document.authorities).toMatchObject([{ certificate }])
  })
})
