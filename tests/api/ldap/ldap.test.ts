import { eq } from 'drizzle-orm'
import { env, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createConnect } from '#durable/directory-hub/connection/connect.ts'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { LdapForm } from '#contract/ldap/form.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { insertDomain } from '#features/ldap/sql/config.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { ldapConfigs, ldapDomains, ldapHubs } from '#db/schema/ldap.ts'
import { DirectoryError, failDirectory } from '#outside/tls/failure.ts'
import { createOutside } from '#outside/adapters.ts'
import { createMainAccount, createRouter, createSubAccount } from '#tests/support/fixtures.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'
import { FORM, createCompany, createConnected, worker } from '#tests/support/directory-company.ts'
import { findOffenders } from '#tests/support/offenders.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('directory 7 · without a directory', () => {
  it('says so', async () => {
    const main = await createMainAccount()
    const status = await worker.call(ldapApi.status, {}, main.token)
    expect(status).toMatchObject({ code: 200, enable: 0, trips: 1 })
    expect(await worker.call(ldapApi.config, {}, main.token)).toMatchObject({
      enable: 0,
      data: null,
      notice: [],
      trips: 1,
    })
    for (const spec of [ldapApi.syncStatus, ldapApi.user, ldapApi.plan])
      expect(await worker.call(spec, {}, main.token)).toMatchObject(refusal('LDAP_OFF'))
    for (const spec of [ldapApi.restartSync, ldapApi.removeDisable, ldapApi.importAll, ldapApi.sync, ldapApi.delete])
      expect(await worker.call(spec, {}, main.token)).toMatchObject(refusal('LDAP_OFF'))
    expect(await worker.call(ldapApi.removeAll, { hash: 'x' }, main.token)).toMatchObject(refusal('LDAP_OFF'))
    expect(await worker.call(ldapApi.undo, { id: 'x' }, main.token)).toMatchObject(refusal('LDAP_UNDO_GONE'))
  })

  it('a sub-account sees none of it', async () => {
    const sub = await createSubAccount(await createMainAccount())
    expect(await worker.call(ldapApi.config, {}, sub.token)).toMatchObject({ code: 403 })
  })
})

describe('directory 5 · ldap/check', () => {
  it('answers what it found, in two round trips at most', async () => {
    const { call } = await createCompany()
    expect(await call(ldapApi.check, FORM)).toMatchObject({
      code: 200,
      data: {
        server: 'openldap',
        tls: '1.3',
        count: 3,
        sample: [{ username: 'u0', note: '用户u0', verify: '可导入' }, {}, {}],
      },
      notice: [],
      trips: 1,
    })
  })

  it('makes the hub of the account once', async () => {
    const main = await createMainAccount()
    await insertDomain(db, main.accountId, 'acme.com', Date.now())
    const answer = { server: 'ad', tls: '1.2', certificate: null, count: 0, phones_left: 0, sample: [] }
    const { hubs, calls } = fakeHubs({ 'directory.check': () => ({ refused: null, answer }) })
    const { call } = createTestWorker({ hubs })
    expect(await call(ldapApi.check, FORM, main.token)).toMatchObject({ code: 200, data: { server: 'ad' }, trips: 2 })
    expect(await call(ldapApi.check, FORM, main.token)).toMatchObject({ code: 200, trips: 1 })
    expect(calls[0]?.hub).toBe(calls[1]?.hub)
    expect(await db.select().from(ldapHubs).where(eq(ldapHubs.accountId, main.accountId))).toHaveLength(1)
  })

  it('each wrong field is refused with its sentence', async () => {
    const offenders = await findOffenders<[Partial<Record<keyof LdapForm, unknown>>, string, string]>([
      [{ host: '' }, '请输入地址', 'host'],
      [{ host: 'a'.repeat(129) }, '地址不能超过128个字符', 'host'],
      [{ port: '' }, '请输入端口', 'port'],
      [{ port: '63a' }, '端口只能输入数字，不能包含“a”', 'port'],
      [{ port: '123456' }, '端口不正确', 'port'],
      [{ domain: '' }, '域名不能为空', 'domain'],
      [{ domain: 'acme' }, '请检查域名格式', 'domain'],
      [{ mode: '' }, '请选择模式', 'mode'],
      [{ sync_mode: 3 }, '请选择同步方式', 'sync_mode'],
      [{ base_dn: '' }, 'Base DN不能为空', 'base_dn'],
      [{ username: '' }, '用户名不能为空', 'username'],
      [{ base_dn: 'a'.repeat(256) }, 'Base DN不能超过255个字符', 'base_dn'],
      [{ username: 'a'.repeat(257) }, '用户名不能超过256个字符', 'username'],
      [{ password: 'a'.repeat(33) }, '密码不能超过32个字符', 'password'],
      [{ user_filter: 'a'.repeat(513) }, '用户过滤条件不能超过512个字符', 'user_filter'],
      [{ username_attribute: '1x' }, '用户名属性不正确', 'username_attribute'],
      [{ username_attribute: 'userPassword' }, '用户名属性不能是存放密码的属性', 'username_attribute'],
      [{ phone_attribute: 'unicodePwd' }, '手机号属性不能是存放密码的属性', 'phone_attribute'],
      [{ password: '' }, '密码不能为空', 'password'],
      [{ use_tls: 1 }, 'SSL与StartTLS不能同时开启', 'use_tls'],
      [{ public_ca: 0 }, '请上传文件', 'ca_id'],
      [{ public_ca: 0, ca_id: '0'.repeat(32) }, '请上传文件', 'ca_id'],
      [{ host: '10.0.0.5' }, '公网模式仅支持公网地址', 'host'],
      [{ host: 'localhost' }, '公网模式仅支持公网地址', 'host'],
      [{ host: '127.1' }, '公网模式仅支持公网地址', 'host'],
      [{ host: '[::1]' }, '公网模式仅支持公网地址', 'host'],
      [{ host: 'ldaps://ldap.acme.com' }, '请检查地址格式', 'host'],
      [{ host: 'ldap.acme.com:636' }, '请检查地址格式', 'host'],
      [{ certificate_name: 'ldaps://dc1' }, '请检查证书名称格式', 'certificate_name'],
      [{ port: 1389 }, '公网模式仅支持389、636、3268、3269端口', 'port'],
      [{ host: 'ldap.other.com' }, '地址必须是该域名或其子域名', 'host'],
      [{ host: '8.8.8.8' }, ERRORS.LDAP_ADDRESS_NAMELESS.msg, 'certificate_name'],
      [{ host: '8.8.8.8', certificate_name: 'dc1.other.com' }, ERRORS.LDAP_ADDRESS_NAMELESS.msg, 'certificate_name'],
      [{ mode: 'private' }, '请选择硬件设备', 'router_name'],
      [{ mode: 'private', router_name: 'NL-NOBODY' }, '成员不存在或已被删除', 'router_name'],
      [{ network_number: '1' }, '组网不存在或已被删除', 'network_number'],
    ])(async (over, msg, field) => {
      const { call } = await createCompany()
      expect(await call(ldapApi.check, { ...FORM, ...over } as LdapForm)).toMatchObject({ msg, data: { field } })
    })
    expect(offenders).toEqual([])
  })

  it('a device of another account cannot be chosen', async () => {
    const { call } = await createCompany()
    const other = await createRouter((await createMainAccount()).accountId)
    expect(await call(ldapApi.check, { ...FORM, mode: 'private', router_name: other.name })).toMatchObject({
      code: 204,
    })
  })

  it('asks for the domain first, with the name of the file', async () => {
    const main = await createMainAccount()
    const answer = await worker.call(ldapApi.check, FORM, main.token)
    expect(answer).toMatchObject({ code: 423, reason: 'LDAP_DOMAIN_UNPROVED' })
    expect(answer.file_name).toMatch(/^netloom-[A-Za-z0-9]{16}\.txt$/)
  })

  it('says why, in one sentence for all that is unreachable', async () => {
    const { call, directory } = await createCompany()
    for (const reason of ['timeout', 'refused', 'name_unknown'] as const) {
      directory.failure = new DirectoryError(reason)
      expect((await call(ldapApi.check, FORM)).reason).toBe('LDAP_UNREACHABLE')
    }
    directory.failure = new DirectoryError('wrong_ca', { issuer: 'CN=Other' })
    expect((await call(ldapApi.check, FORM)).msg).toContain('CN=Other')
  })

  it.each([
    ['leads elsewhere', [{ type: 1, data: '93.184.216.34' }]],
    ['has no address', []],
  ])('a literal address whose certificate name %s is not dialled', async (_, Answer) => {
    const asked: string[] = []
    const send = fetch
    vi.stubGlobal('fetch', async (url: string | Request) => {
      if (typeof url !== 'string') return send(url) // the libSQL client's
      asked.push(new URL(url).searchParams.get('name') ?? '')
      return Response.json({ Status: 0, Answer })
    })
    const { call, stub } = await createCompany()
    await runInDurableObject(stub, (hub: DirectoryHub) => {
      hub.openDirectory = createConnect(env, () => async () => failDirectory('router_refused'))
    })
    expect(await call(ldapApi.check, { ...FORM, host: '8.8.8.8', certificate_name: 'dc1.acme.com' })).toMatchObject(
      refusal('LDAP_ADDRESS_NAMELESS'),
    )
    expect(new Set(asked)).toEqual(new Set(['dc1.acme.com']))
  })

  it('ten a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { call } = await createCompany([])
    for (let i = 0; i < LDAP.checkRate.limit; i++) expect((await call(ldapApi.check, FORM)).code).toBe(200)
    expect((await call(ldapApi.check, FORM)).code).toBe(429)
  })

  it('warns of a connection without encryption', async () => {
    const { call } = await createCompany()
    const answer = await call(ldapApi.check, { ...FORM, use_ssl: 0, public_ca: 0, port: 389 })
    expect(answer.notice).toHaveLength(1)
  })
})

describe('directory 7 · ldap/save', () => {
  it('stands on a check of exactly these values', async () => {
    const { call, accountId } = await createCompany()
    const unchecked = { code: 423, msg: '请先检测配置', reason: 'LDAP_CHECK_FIRST' }
    expect(await call(ldapApi.save, FORM)).toMatchObject(unchecked)
    await call(ldapApi.check, FORM)
    expect(await call(ldapApi.save, { ...FORM, port: 3269 })).toMatchObject(unchecked)
    expect(await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, accountId))).toEqual([])
    expect(await call(ldapApi.save, FORM)).toMatchObject({ code: 200, msg: '保存配置成功！', trips: 2 })
    const [row] = await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, accountId))
    expect(row?.passwordSealed).not.toContain(FORM.password)
    const audits = await db.select().from(auditLogs).where(eq(auditLogs.accountId, accountId))
    expect(JSON.stringify(audits)).not.toContain(FORM.password)
    const config = await call(ldapApi.config, {})
    expect(config).toMatchObject({
      enable: 1,
      data: { host: FORM.host, has_password: 1, use_ssl: 1, public_ca: 1 },
      trips: 1,
    })
    expect(JSON.stringify(config)).not.toContain(FORM.password)
  })

  it('asks for the domain as check and verify_domain do, with the name of the same file', async () => {
    const { call, accountId } = await createCompany()
    await call(ldapApi.check, FORM)
    await db.delete(ldapDomains).where(eq(ldapDomains.accountId, accountId))
    const answers = [
      await call(ldapApi.save, FORM),
      await call(ldapApi.check, FORM),
      await worker.call(ldapApi.save, FORM, (await createMainAccount()).token),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({
        ...refusal('LDAP_DOMAIN_UNPROVED'),
        file_name: expect.stringMatching(/^netloom-[A-Za-z0-9]{16}\.txt$/),
      })
    const [saved, checked, foreign] = answers.map(({ file_name }) => file_name)
    expect(saved).toBe(checked)
    expect(foreign).not.toBe(saved)
    expect(await db.$count(ldapConfigs, eq(ldapConfigs.accountId, accountId))).toBe(0)
  })

  it('takes host and certificate name in one spelling', async () => {
    const { call, directory } = await createConnected(undefined, { certificate_name: 'DC1.Acme.com.' })
    const { password: _, ...form } = FORM
    const again = { ...form, host: 'LDAP.Acme.COM.', certificate_name: 'dc1.acme.com' }
    expect((await call(ldapApi.check, again)).code).toBe(200)
    expect((await call(ldapApi.save, again)).code).toBe(200)
    expect((await call(ldapApi.config, {})).data).toMatchObject({ host: FORM.host, certificate_name: 'dc1.acme.com' })
    expect(directory.opened.every(({ host }) => host === FORM.host)).toBe(true)
  })

  it('keeps the password for what stays where it is, and asks for it again elsewhere', async () => {
    const { call, directory } = await createConnected()
    const { password: _, ...form } = FORM
    expect(await call(ldapApi.check, { ...form, host: 'new.acme.com' })).toMatchObject({
      msg: '连接信息已修改，请重新输入密码',
      reason: 'LDAP_PASSWORD_AGAIN',
    })
    expect(await call(ldapApi.check, { ...form, base_dn: 'dc=other' })).toMatchObject({
      msg: 'Base DN 创建后不可修改',
      reason: 'LDAP_BASE_FIXED',
    })
    expect(directory.opened.every(({ host }) => host === FORM.host)).toBe(true)
    expect((await call(ldapApi.check, { ...form, user_filter: '(uid=a)' })).code).toBe(200)
    expect(directory.opened.at(-1)).toEqual({ host: FORM.host, password: FORM.password })
    expect((await call(ldapApi.save, { ...form, user_filter: '(uid=a)' })).code).toBe(200)
    expect((await call(ldapApi.check, { ...form, user_filter: '(uid=b)' })).code).toBe(200)
  })
})

describe('directory 4 · domain', () => {
  const withProof = (isProved: boolean) =>
    createTestWorker({
      outside: (bindings) => ({ ...createOutside(bindings), domains: { isProved: async () => isProved } }),
    })

  it('is proved by its file; the file is the account’s own', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const absent = await withProof(false).call(ldapApi.verifyDomain, { domain: 'Acme.com' }, main.token)
    expect(absent).toMatchObject({ code: 423, reason: 'LDAP_DOMAIN_UNPROVED' })
    const [mine, theirs] = await Promise.all(
      [main, other].map(({ token }) => worker.call(ldapApi.downloadVerifyDomain, { domain: 'acme.com' }, token)),
    )
    expect(mine?.headers.get('content-disposition')).toContain(absent.file_name)
    expect(Buffer.from(mine!.bytes!).toString()).not.toBe(Buffer.from(theirs!.bytes!).toString())
    const proved = await withProof(true).call(ldapApi.verifyDomain, { domain: 'acme.com' }, main.token)
    expect(proved).toMatchObject({ code: 200, msg: '域名验证成功', file_name: absent.file_name, trips: 2 })
    expect((await withProof(false).call(ldapApi.verifyDomain, { domain: 'acme.com' }, main.token)).code).toBe(200)
    expect((await withProof(false).call(ldapApi.verifyDomain, { domain: 'acme.com' }, other.token)).code).toBe(423)
  })

  it('an international name is its punycode', async () => {
    const main = await createMainAccount()
    const [a, b] = await Promise.all(
      ['例子.中国', 'xn--fsqu00a.xn--fiqs8s'].map((domain) =>
        worker.call(ldapApi.downloadVerifyDomain, { domain }, main.token),
      ),
    )
    expect(Buffer.from(a!.bytes!)).toEqual(Buffer.from(b!.bytes!))
  })
})
