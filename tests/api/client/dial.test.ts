import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { authorities } from '#db/schema/authorities.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { readDialToken } from '#security/dial-token.ts'
import { CA, createDialled, disableAccount } from '#tests/support/clients.ts'
import { networkRow } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'

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
