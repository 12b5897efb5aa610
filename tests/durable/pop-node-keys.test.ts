import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { VPN } from '#contract/device/limits.ts'
import type { OutboxEntry } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import { authorities } from '#db/schema/authorities.ts'
import { popMembers } from '#db/schema/pop.ts'
import { routerStates } from '#db/schema/routers.ts'
import { readRouter } from '#durable/router-hub/database.ts'
import { blankRouter, unknownDevice } from '#durable/router-hub/state/storage.ts'
import { revokeCertificates, revokeLeft } from '#features/network/sql/revocations.ts'
import { verify } from '#tests/support/certificates/openssl.ts'
import { createRequestPem } from '#tests/support/certificates/requests.ts'
import { authoritiesOf, certificatesOf, revocationsOf } from '#tests/support/certificates/rows.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { createCarried, createNode } from './carried-network.ts'
import type { TestRouter } from './support.ts'

/** Document of a device that runs tunnels and has sent this request. */
async function documentOf({ hub }: TestRouter, csr: string) {
  const device = { ...unknownDevice, capabilities: [VPN.capability], csr }
  return (await readRouter(env, hub, { ...blankRouter, device }))!.document
}

type Document = Awaited<ReturnType<typeof documentOf>>

/** Keys of a network in a document. */
function keysIn({ networks, authorities = [] }: Document, number: string) {
  const network = networks.find(({ network_number }) => network_number === number)!
  const { ca, certificate } = authorities.find(({ id }) => id === network.authority)!
  return { ca, certificate: certificate!, list: network.revoked!, control: network.control_key! }
}

/** A node that carries networks of two accounts, its request and its document. */
async function createCarrier() {
  const pop = await createNode()
  const networks = [await createCarried(pop, 0), await createCarried(pop, 1)] as const
  const csr = await createRequestPem()
  return { ...pop, networks, csr, document: await documentOf(pop.node, csr) }
}

describe('hubs.md, Keys · a node', () => {
  it('has a certificate by each customer, with the mark of a gateway, and none by the operator', async () => {
    const { node, networks, document } = await createCarrier()
    expect(document.authorities).toHaveLength(2)
    const rows = await certificatesOf(node.name)
    expect(rows.map(({ accountId }) => accountId).toSorted()).toEqual(
      networks.map(({ accountId }) => accountId).toSorted(),
    )
    expect(rows).toMatchObject([{ isServer: 1, isGateway: 1 }, {}])
    expect(rows.every(({ isGateway, routerId }) => isGateway === 1 && routerId === node.routerId)).toBe(true)
    expect(await authoritiesOf(node.accountId)).toEqual([])
  })

  it('has in each network the authority, list and control key of that network’s account alone', async () => {
    const { networks, document } = await createCarrier()
    const [first, second] = networks
    const offenders = await findOffenders([
      ['first', first, second],
      ['second', second, first],
    ] as const)(async (_, own, other) => {
      const [keys, foreign] = [keysIn(document, own.number), keysIn(document, other.number)]
      const [{ certificate: ca } = { certificate: '' }] = await authoritiesOf(own.accountId)
      expect(keys.ca).toBe(ca)
      expect((await verify(keys, 'sslserver')).text).toContain('OK')
      expect((await verify({ ...foreign, certificate: keys.certificate }, 'sslclient')).isDone).toBe(false)
      expect(keys.control).not.toBe(foreign.control)
      expect(JSON.stringify(document.networks.find((one) => one.network_number === own.number))).not.toContain(
        document.networks.find((one) => one.network_number === other.number)!.authority,
      )
    })
    expect(offenders).toEqual([])
  })

  it('is verified by the members of each network, whose documents name no other authority', async () => {
    const { networks, document } = await createCarrier()
    const offenders = await findOffenders(networks.map((network) => [network.number, network] as const))(
      async (number, { points }) => {
        const member = await documentOf(points[0]!, await createRequestPem())
        const own = keysIn(member, number)
        expect(member.authorities).toHaveLength(1)
        const { certificate, control } = keysIn(document, number)
        expect((await verify({ ...own, certificate }, 'sslserver')).text).toContain('OK')
        expect(control).toBe(own.control)
      },
    )
    expect(offenders).toEqual([])
  })

  it('goes on with its stored keys by an authority that cannot sign, and with new ones by the others', async () => {
    const { node, networks, document } = await createCarrier()
    const [first, second] = networks
    const faults = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await db.update(authorities).set({ keySealed: 'v1.lost.x' }).where(eq(authorities.accountId, first.accountId))
    const after = await documentOf(node, await createRequestPem())
    expect(keysIn(after, first.number).certificate).toBe(keysIn(document, first.number).certificate)
    expect(keysIn(after, second.number).certificate).not.toBe(keysIn(document, second.number).certificate)
    expect(JSON.stringify(faults.mock.calls)).toContain('keys')
    faults.mockRestore()
  })

  it('costs no round trip while nothing is to be signed', async () => {
    const { node, csr, document } = await createCarrier()
    const trips = vi.spyOn(env.DB!, 'batch')
    expect(await documentOf(node, csr)).toEqual(document)
    expect(trips).toHaveBeenCalledTimes(1)
  })
})

describe('a revocation of a node', () => {
  it('is in the lists of all networks that it carries, and refreshes their members', async () => {
    const { node, networks, document } = await createCarrier()
    const members = networks.map(({ points }) => points[0]!)
    for (const { routerId } of members) await db.insert(routerStates).values({ routerId, vpn: 1 } as never)
    const hubOutbox: OutboxEntry[] = []
    const ctx = { db, now: Date.now(), hubOutbox }
    await batch(db, revokeCertificates(ctx, node.accountId, [node.routerId]))
    expect(hubOutbox.map(({ hub }) => hub).toSorted()).toEqual(members.map(({ hub }) => hub).toSorted())
    const offenders = await findOffenders(
      networks.map((network, i) => [network.number, network, members[i]!] as const),
    )(async (number, { id }, member) => {
      expect(await revocationsOf(id)).toHaveLength(1)
      const { list } = keysIn(await documentOf(member, await createRequestPem()), number)
      const verdict = await verify({ ...keysIn(document, number), list }, 'sslserver')
      expect(verdict.text).toContain('certificate revoked')
    })
    expect(offenders).toEqual([])
  })

  it('is of one account when its last network leaves, and of none before', async () => {
    const { node, networks } = await createCarrier()
    const [first, second] = networks
    const more = await insertNetwork({ accountId: first.accountId })
    const [row] = await db.select().from(popMembers).where(eq(popMembers.networkId, first.id))
    const { id: _, ...carried } = row!
    await db.insert(popMembers).values({ ...carried, networkId: more.id, segmentIndex: 501, portIndex: 2 })
    const leave = async (id: number) => {
      await batch(db, revokeLeft(db, sql`select ${id}`, Date.now()))
      await db.delete(popMembers).where(eq(popMembers.networkId, id))
    }
    const validOf = async (accountId: number) =>
      (await certificatesOf(node.name)).filter((one) => one.accountId === accountId && one.revokedAt === null).length
    await leave(more.id)
    expect(await validOf(first.accountId)).toBe(1)
    await leave(first.id)
    expect([await validOf(first.accountId), await validOf(second.accountId)]).toEqual([0, 1])
    expect(await revocationsOf(first.id)).toHaveLength(1)
    expect(await revocationsOf(second.id)).toEqual([])
  })

  it('spares a node that carries the network again', async () => {
    const { node, networks } = await createCarrier()
    const [first] = networks
    await batch(db, revokeLeft(db, sql`select ${first.id}`, Date.now(), [node.routerId]))
    expect((await certificatesOf(node.name)).every(({ revokedAt }) => revokedAt === null)).toBe(true)
  })
})
