import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { authorities } from '#db/schema/authorities.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { readDialToken } from '#security/dial-token.ts'
import { clientLogin, createClients, disableAccount } from '#tests/support/clients.ts'
import { createNetwork, createRouter, networkRow, unique } from '#tests/support/fixtures.ts'
import { call, db } from '#tests/support/test-worker.ts'

const CA = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

/** A network of a centre and a software member that is signed in; the account has an authority. */
async function createDialled() {
  const [member] = await createClients()
  const { main } = member!
  const center = await createRouter(main.accountId, { state: { remoteHost: '203.0.113.5', probePort: 4000 } })
  const number = await createNetwork(main, [center, { ...member!, hub: '' }])
  const name = `${unique('a')}${'0'.repeat(32)}`.slice(0, 32)
  const at = { expiresAt: Date.now() + 1e9, createdAt: Date.now() }
  await db.insert(authorities).values({ accountId: main.accountId, name, certificate: CA, keySealed: 'x', ...at })
  const { access_token: token } = (await clientLogin(member!.name)).data
  const dial = (network_number = number) => call(clientApi.dial, { network_number }, { token })
  return { ...member!, center, number, dial }
}

describe('network 2 · client/dial', () => {
  it('gives the servers, the keys, and a token of the member for this network, in one round trip', async () => {
    const { id, name, center, number, dial } = await createDialled()
    const now = Date.now()
    const reply = await dial()
    expect(reply).toMatchObject({
      code: 200,
      trips: 1,
      data: { router_name: name, ca: CA, ciphers: 'default', servers: [{ router_name: center.name }] },
    })
    expect(reply.data.control_key).toMatch(/^[0-9a-f]{512}$/)
    expect(reply.data.token_expire_time).toBe(DIAL_TOKEN.validMs / 1000)
    const claims = await readDialToken(env.HMAC_SECRET, reply.data.token)
    expect(claims).toMatchObject({ memberId: id, credentialVersion: 0, networkNumber: number })
    expect(claims!.expiresAt).toBeGreaterThan(now + DIAL_TOKEN.validMs - 2_000)
    expect(claims!.expiresAt).toBeLessThanOrEqual(Date.now() + DIAL_TOKEN.validMs)
  })

  it('has another control key in each network', async () => {
    const [one, other] = [await createDialled(), await createDialled()]
    expect((await one.dial()).data.control_key).not.toBe((await other.dial()).data.control_key)
    expect((await one.dial(other.number)).code).toBe(204)
  })

  it('refuses in words: no authority yet, a network that is no longer served, a member that may not dial', async () => {
    const { main, number, dial } = await createDialled()
    const { id } = await networkRow(number)
    await db.update(networks).set({ withdrawn: 1 }).where(eq(networks.id, id))
    expect(await dial()).toMatchObject({ code: 403, msg: '该组网已停止服务，请联系管理员续费' })
    await db.update(networks).set({ withdrawn: 0 }).where(eq(networks.id, id))
    await db.delete(authorities).where(eq(authorities.accountId, main.accountId))
    expect(await dial()).toMatchObject({ code: 423, msg: '该组网的中心点尚未运行隧道，请联系管理员' })
  })

  it('ends with the session: of a disabled member or account there is none', async () => {
    const { id, main, dial } = await createDialled()
    await db.update(routers).set({ status: 0 }).where(eq(routers.id, id))
    expect((await dial()).code).not.toBe(200)
    await db.update(routers).set({ status: 1 }).where(eq(routers.id, id))
    await disableAccount(main.accountId)
    expect((await dial()).code).not.toBe(200)
  })
})
