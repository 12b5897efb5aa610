import { env } from 'cloudflare:test'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { CLIENT_PROFILE } from '#contract/client/limits.ts'
import { CERTIFICATE } from '#contract/device/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { opsApi } from '#contract/ops/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts, attempts, auditLogs } from '#db/schema/accounts.ts'
import { clientProfiles } from '#db/schema/clients.ts'
import { networkJobs, networks } from '#db/schema/networks.ts'
import { messages } from '#db/schema/notices.ts'
import { warnOfProfiles } from '#jobs/profile-warnings.ts'
import { readDialToken } from '#security/dial-token.ts'
import { CA, clientLogin, createDialled } from '#tests/support/clients.ts'
import { createMainAccount, networkRow, refreshed, toHubs, unique } from '#tests/support/fixtures.ts'
import { call, db, hubCalls, refusal, request } from '#tests/support/test-worker.ts'

type Dialled = Awaited<ReturnType<typeof createDialled>>

const create = ({ token, number }: Dialled, device_name = '我的手机') =>
  call(clientApi.createProfile, { network_number: number, device_name }, { token, ip: '203.0.113.77' })
const list = async ({ token }: Dialled) => (await call(clientApi.profiles, {}, { token })).data
const revoke = ({ token }: Dialled, profile_id: number) => call(clientApi.revokeProfile, { profile_id }, { token })
const textOf = ({ bytes }: { readonly bytes?: ArrayBuffer }) => new TextDecoder().decode(bytes)
/** Content of an inline block of a file. */
const blockOf = (text: string, name: string) => new RegExp(`<${name}>\\n([^]*?)\\n</${name}>`).exec(text)?.[1] ?? ''

async function createOne() {
  const dialled = await createDialled()
  const file = textOf(await create(dialled))
  const [profile] = await list(dialled)
  return { ...dialled, file, id: profile!.profile_id }
}

const auditOf = (accountId: number, action: string) =>
  db
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.accountId, accountId), eq(auditLogs.action, action)))

describe('network 2 · client/create_profile', () => {
  it('answers a file with everything inside, whose token names the row', async () => {
    const dialled = await createDialled()
    const before = Date.now()
    const reply = await create(dialled)
    expect(reply).toMatchObject({ code: 200, trips: 2 })
    expect(reply.headers.get('content-type')).toBe('application/x-openvpn-profile')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const { name } = await networkRow(dialled.number)
    expect(decodeURIComponent(reply.headers.get('content-disposition')!)).toContain(`${name}-我的手机.ovpn`)
    const text = textOf(reply)
    expect(text).toContain('\nremote 203.0.113.5 ')
    for (const line of ['setenv CLIENT_CERT 0', 'auth-nocache', `remote-cert-eku ${CERTIFICATE.gatewayUsage}`])
      expect(text.split('\n')).toContain(line)
    expect(text).not.toMatch(/^(ca|tls-crypt|script-security|up|down|plugin|auth-user-pass) /m)
    expect(`${blockOf(text, 'ca')}\n`).toBe(CA)
    expect(blockOf(text, 'tls-crypt').split('\n')).toHaveLength(18)
    const [user, token = ''] = blockOf(text, 'auth-user-pass').split('\n')
    expect(user).toBe(dialled.name)
    const claims = await readDialToken(env.HMAC_SECRET, token)
    const [row] = await list(dialled)
    expect(claims).toMatchObject({
      memberId: dialled.id,
      credentialVersion: 0,
      networkNumber: dialled.number,
      profileId: row!.profile_id,
      expiresAt: row!.expire_time,
    })
    expect(row).toMatchObject({
      device_name: '我的手机',
      network_number: dialled.number,
      state: 'valid',
      last_dial_time: null,
    })
    expect(row!.expire_time - before).toBeGreaterThan(CLIENT_PROFILE.validDays * DAY_MS - 2_000)
  })

  it('is audited with the address, and keeps no secret anywhere', async () => {
    const { main, file } = await createOne()
    const [entry] = await auditOf(main.accountId, 'create_profile')
    expect(entry).toMatchObject({ ip: '203.0.113.77', module: 'client' })
    const [row] = await db.select().from(clientProfiles).where(eq(clientProfiles.accountId, main.accountId))
    expect(row!.issuedIp).toBe('203.0.113.77')
    const [, token = ''] = blockOf(file, 'auth-user-pass').split('\n')
    expect(JSON.stringify([entry, row])).not.toContain(token.split('.')[1])
  })

  it('five open ones of a member and network, also of calls at the same time', async () => {
    const dialled = await createDialled()
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => create(dialled, `设备${n}`)))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(CLIENT_PROFILE.openMax)
    expect(replies.find(({ code }) => code !== 200)).toMatchObject(refusal('CLIENT_PROFILE_LIMIT', { limit: 5 }))
    const [first] = await list(dialled)
    await revoke(dialled, first!.profile_id)
    expect((await create(dialled)).code).toBe(200)
  })

  it('refuses in words: Chinese ciphers, a foreign network, a suspended one, no name', async () => {
    const dialled = await createDialled()
    const { id } = await networkRow(dialled.number)
    const set = (over: Partial<typeof networks.$inferInsert>) =>
      db.update(networks).set(over).where(eq(networks.id, id))
    await set({ ciphers: 'sm' })
    expect(await create(dialled)).toMatchObject({ msg: '该组网使用国密算法，请使用 Linux 客户端' })
    await set({ ciphers: 'default', status: 0 })
    expect(await create(dialled)).toMatchObject(refusal('MEMBER_NETWORK_SUSPENDED'))
    await set({ status: 1 })
    const other = await createDialled()
    expect(await create({ ...dialled, number: other.number })).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await create(dialled, ' ')).toMatchObject({ code: 422, data: { field: 'device_name' } })
    expect(await create(dialled, 'x'.repeat(25))).toMatchObject({ code: 422, data: { field: 'device_name' } })
    expect(await list(dialled)).toEqual([])
  })

  it('has a rate', async () => {
    const dialled = await createDialled()
    const key = `client_profile:${dialled.id}`
    await db.insert(attempts).values({ key, count: CLIENT_PROFILE.rate.limit, windowEnd: Date.now() + 60_000 })
    expect((await create(dialled)).code).toBe(429)
  })
})

describe('network 2 · the end of a profile', () => {
  it('revoked by its member: the servers end its session, and it stays out', async () => {
    const one = await createOne()
    const since = hubCalls.length
    expect(await revoke(one, one.id)).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(one.center))
    const [job] = await db.select().from(networkJobs).where(eq(networkJobs.routerId, one.center.id))
    expect(job).toMatchObject({ kind: 'kill_user', state: 'pending' })
    expect(JSON.parse(job!.params)).toEqual({ network_number: one.number, name: one.name, halt: true, profile: one.id })
    expect(await list(one)).toMatchObject([{ state: 'revoked' }])
    expect(await revoke(one, one.id)).toMatchObject(refusal('CLIENT_PROFILE_OVER'))
    expect(await auditOf(one.main.accountId, 'revoke_profile')).toHaveLength(1)
  })

  it('by a new password, a new suffix, and leaving the network', async () => {
    const one = await createOne()
    const { main, number, name } = one
    await db
      .update(accounts)
      .set({ email: `${unique()}@example.cn` })
      .where(eq(accounts.id, main.accountId))
    await main.call(routerApi.password, { router_name: name, password: 'Weilai2026' })
    const stateOf = async () =>
      (await main.call(routerApi.profiles, { router_name: name })).data.map((row) => row.state)
    expect(await stateOf()).toEqual(['revoked'])
    expect((await main.call(networkApi.removeMember, { network_number: number, router_name: name })).code).toBe(200)
    expect(await stateOf()).toEqual([])
    const other = await createOne()
    const sign = unique('n').slice(0, 12)
    expect((await other.main.call(accountApi.editSign, { sign })).code).toBe(200)
    const present = `${other.local}@${sign}`
    const rows = (await other.main.call(routerApi.profiles, { router_name: present })).data
    expect(rows.map(({ state }) => state)).toEqual(['revoked'])
  })

  it('of an account whose authority is replaced', async () => {
    const { main, name } = await createOne()
    expect((await call(opsApi.reissueAuthority, { account: main.username })).code).toBe(200)
    expect((await main.call(routerApi.profiles, { router_name: name })).data).toMatchObject([{ state: 'revoked' }])
  })

  it('of a member that is deleted', async () => {
    const { main, name } = await createOne()
    expect((await main.call(routerApi.delete, { router_name: name })).code).toBe(200)
    expect(await db.$count(clientProfiles, eq(clientProfiles.accountId, main.accountId))).toBe(0)
  })

  it('another member cannot see or revoke it', async () => {
    const [one, other] = [await createOne(), await createOne()]
    expect((await list(other)).map(({ profile_id }) => profile_id)).toEqual([other.id])
    expect(await revoke(other, one.id)).toMatchObject(refusal('CLIENT_PROFILE_OVER'))
    expect(await call(clientApi.profileLink, { profile_id: one.id }, { token: other.token })).toMatchObject(
      refusal('CLIENT_PROFILE_OVER'),
    )
    expect(await list(one)).toMatchObject([{ state: 'valid' }])
  })
})

describe('network 2 · router/profiles', () => {
  it('the account sees them and revokes one', async () => {
    const { main, name, id } = await createOne()
    const reply = await main.call(routerApi.profiles, { router_name: name })
    expect(reply).toMatchObject({ code: 200, trips: 1, data: [{ profile_id: id, device_name: '我的手机' }] })
    expect(await main.call(routerApi.revokeProfile, { router_name: name, profile_id: id })).toMatchObject({
      code: 200,
      trips: 2,
      msg: '已吊销',
    })
    expect((await main.call(routerApi.profiles, { router_name: name })).data).toMatchObject([{ state: 'revoked' }])
  })

  it('another account, and a role without the network, find nothing', async () => {
    const { main, name, id } = await createOne()
    const stranger = await createMainAccount()
    const input = { router_name: name, profile_id: id }
    expect(await stranger.call(routerApi.profiles, { router_name: name })).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await stranger.call(routerApi.revokeProfile, input)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const other = await createDialled()
    expect(await other.main.call(routerApi.revokeProfile, { ...input, router_name: other.name })).toMatchObject(
      refusal('CLIENT_PROFILE_OVER'),
    )
    expect((await main.call(routerApi.profiles, { router_name: name })).data).toMatchObject([{ state: 'valid' }])
  })
})

describe('network 2 · client/profile_link', () => {
  const link = async ({ token, id }: Awaited<ReturnType<typeof createOne>>) =>
    (await call(clientApi.profileLink, { profile_id: id }, { token })).data
  const pathOf = (url: string) => new URL(url).pathname

  it('gives the file once, to a press of the button and not to a preview', async () => {
    const one = await createOne()
    const { url, expires_in } = await link(one)
    expect(expires_in).toBe(300)
    const page = await request(pathOf(url))
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).not.toContain('script')
    expect(await page.text()).toContain('我的手机')
    const [first, second] = await Promise.all([1, 2].map(() => request(pathOf(url), { method: 'POST' })))
    const answers = [first!, second!].toSorted((a, b) => a.status - b.status)
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
    expect(answers[0]!.headers.get('cache-control')).toBe('no-store')
    expect(new TextDecoder().decode(await answers[0]!.arrayBuffer())).toBe(one.file)
    expect((await request(pathOf(url))).status).toBe(404)
    expect(await auditOf(one.main.accountId, 'profile_download')).toHaveLength(1)
  })

  it('ends after five minutes, with another link, and with its profile', async () => {
    const one = await createOne()
    const status = async (url: string) => (await request(pathOf(url))).status
    const [older, newer] = [await link(one), await link(one)]
    expect([await status(older.url), await status(newer.url)]).toEqual([404, 200])
    await db.update(clientProfiles).set({ linkExpiresAt: Date.now() }).where(eq(clientProfiles.id, one.id))
    expect(await status(newer.url)).toBe(404)
    const last = await link(one)
    await revoke(one, one.id)
    expect(await status(last.url)).toBe(404)
  })

  it('the secret is in no row', async () => {
    const one = await createOne()
    const secret = pathOf((await link(one)).url)
      .split('/')
      .at(-1)!
    expect(secret).toHaveLength(43)
    const rows = [
      await db.select().from(clientProfiles).where(eq(clientProfiles.id, one.id)),
      await db.select().from(auditLogs).where(eq(auditLogs.accountId, one.main.accountId)),
    ]
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('design 6 · the cookie of the client page', () => {
  const login = (name: string) => clientLogin(name, { keep: 'cookie' })
  const valueOf = (headers: Headers) => /^netloom_client=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''

  it('holds the refresh token, for the client API of this host alone', async () => {
    const { name } = await createDialled()
    const { data, headers } = await login(name)
    expect(data.refresh_token).toBe('')
    expect(headers.get('set-cookie')).toMatch(
      /^netloom_client=[^;]{80,}; Path=\/api\/v1\/client; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    expect((await clientLogin(name)).headers.get('set-cookie')).toBeNull()
  })

  it('rotates, and a copied one ends the session', async () => {
    const { name } = await createDialled()
    const cookie = (value: string) => ({ cookie: `netloom_client=${value}` })
    const first = valueOf((await login(name)).headers)
    const reply = await call(clientApi.refresh, {}, cookie(first))
    expect(reply).toMatchObject({ code: 200, data: { refresh_token: '', router_name: name } })
    const second = valueOf(reply.headers)
    expect(second).not.toBe(first)
    const third = valueOf((await call(clientApi.refresh, {}, cookie(second))).headers)
    expect((await call(clientApi.refresh, {}, cookie(first))).code).toBe(refusal('SESSION_REVOKED').code)
    expect((await call(clientApi.refresh, {}, cookie(third))).code).toBe(refusal('SESSION_REVOKED').code)
    expect((await call(clientApi.refresh, {})).code).toBe(refusal('TOKEN_BAD').code)
  })

  it('goes with the sign-out', async () => {
    const { name } = await createDialled()
    const { headers, data } = await login(name)
    const cookie = `netloom_client=${valueOf(headers)}`
    const out = await call(clientApi.logout, {}, { cookie })
    expect(out.code).toBe(200)
    expect(out.headers.get('set-cookie')).toContain('netloom_client=; Path=/api/v1/client; Max-Age=0')
    expect((await call(clientApi.profiles, {}, { token: data.access_token })).code).toBe(
      refusal('SESSION_REVOKED').code,
    )
  })
})

describe('account 5 · the message about profiles that end', () => {
  it('comes once for a profile, and once a day for an account', async () => {
    const dialled = await createDialled()
    await create(dialled, '手机')
    await create(dialled, '平板')
    const { accountId } = dialled.main
    const run = (now: number) => warnOfProfiles({ db, now, hubOutbox: [] })
    const count = () => db.$count(messages, eq(messages.accountId, accountId))
    const now = Date.now()
    await run(now + 20 * DAY_MS)
    expect(await count()).toBe(0)
    await run(now + 22.5 * DAY_MS)
    const [message] = await db.select().from(messages).where(eq(messages.accountId, accountId))
    expect(message).toMatchObject({ title: '2个接入配置即将到期', type: '系统' })
    for (const at of [22.6, 24]) await run(now + at * DAY_MS)
    expect(await count()).toBe(1)
  })
})
