import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { AUTH_SOURCE_TYPES, authSourceApi } from '#contract/auth-source/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { insertDomain } from '#features/ldap/sql/config.ts'
import { authSources } from '#db/schema/auth-sources.ts'
import { authSecretPlace } from '#security/auth-source.ts'
import { openSealed } from '#security/sealed.ts'
import { FORMS, createAuthWorker, createSource, createSourceAccount } from '#tests/support/auth-sources.ts'
import { SECRET } from '#tests/support/auth-vendors.ts'
import { createMainAccount, createMany, createSubAccount, selectAudits } from '#tests/support/fixtures.ts'
import { call as callWorker, db, refusal } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const worker = createAuthWorker()
const { call, vendors } = worker
const stored = async (id: number) => (await db.select().from(authSources).where(eq(authSources.id, id)))[0]!

describe('directory 3 · auth sources', () => {
  it('exist only where the flag is on, and for the main account', async () => {
    const off = await createMainAccount()
    const sub = await createSubAccount(await createSourceAccount())
    for (const spec of Object.values(authSourceApi)) {
      expect(await call(spec, spec.example as never, off.token)).toMatchObject(refusal('AUTH_SOURCE_OFF'))
      expect(await call(spec, spec.example as never, sub.token)).toMatchObject({ code: 403 })
    }
  })

  it('the ID is made once, and is one of its own', async () => {
    const mains = await createMany(3, createSourceAccount)
    const codes = await Promise.all(
      mains.flatMap((main) => [call(authSourceApi.code, {}, main.token), call(authSourceApi.code, {}, main.token)]),
    )
    const shown = codes.map(({ data, trips }) => [data.code, trips])
    expect(new Set(shown.map(([code]) => code)).size).toBe(3)
    for (const [code, trips] of shown) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
      expect(trips).toBe(1)
    }
    expect(codes[0]?.data.config.type).toEqual(AUTH_SOURCE_TYPES)
  })

  it.each([
    [{}, { white_ip: '', notice: '未配置固定出口' }],
    [
      { EGRESS_PROXY_KEY: 'k', EGRESS_PROXY_BASE: 'https://198.51.100.7/' },
      { white_ip: '198.51.100.7', notice: '' },
    ],
    [
      { EGRESS_PROXY_KEY: 'k', EGRESS_PROXY_BASE: 'https://relay.example.com', EGRESS_ADDRESS: '198.51.100.8' },
      { white_ip: '198.51.100.8' },
    ],
    [
      { EGRESS_PROXY_KEY: 'k', EGRESS_PROXY_BASE: 'https://relay.example.com' },
      { white_ip: '', notice: '未配置固定出口' },
    ],
    [{ EGRESS_ADDRESS: '198.51.100.8' }, { white_ip: '', notice: '未配置固定出口' }],
  ])('config.default with %o', async (over, expected) => {
    const main = await createSourceAccount()
    const { data } = await createAuthWorker(over).call(authSourceApi.code, {}, main.token)
    for (const type of AUTH_SOURCE_TYPES)
      expect(data.config.default[type]).toMatchObject({
        ...expected,
        auth_domain: 'console.netloom.cn',
        redirect_uri: 'https://console.netloom.cn/auth/callback',
      })
  })

  it.each(AUTH_SOURCE_TYPES)('%s: create, list, read, disable, enable, delete', async (type) => {
    const main = await createSourceAccount()
    const added = await call(authSourceApi.create, FORMS[type], main.token)
    expect(added).toMatchObject({ code: 200, msg: '添加成功', trips: 2 })
    const { id } = added.data
    const { app_secret: _, ...form } = FORMS[type]
    const listed = await call(authSourceApi.lists, {}, main.token)
    expect(listed).toMatchObject({
      code: 200,
      trips: 1,
      count: 1,
      max: AUTH_SOURCE.max,
      data: [{ id, ...form, status: 1 }],
    })
    expect((await call(authSourceApi.info, { id }, main.token)).data).toEqual(listed.data[0])
    expect(JSON.stringify(listed)).not.toContain(SECRET)
    expect(await call(authSourceApi.disable, { id }, main.token)).toMatchObject({
      code: 200,
      msg: '关闭成功',
      trips: 2,
    })
    expect((await stored(id)).status).toBe(0)
    expect(await call(authSourceApi.enable, { id }, main.token)).toMatchObject({ code: 200, msg: '启动成功', trips: 2 })
    expect((await stored(id)).status).toBe(1)
    expect(await call(authSourceApi.delete, { id }, main.token)).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect(await call(authSourceApi.info, { id }, main.token)).toMatchObject(refusal('AUTH_SOURCE_NOT_FOUND'))
    const audits = await selectAudits(main.accountId)
    const ours = audits.filter(({ module }) => module === 'auth_source')
    expect(ours.map(({ action }) => action).toSorted()).toEqual(['create', 'delete', 'disable', 'enable'])
    expect(JSON.stringify(ours)).not.toContain(SECRET)
  })

  it('the secret is sealed for its account and source', async () => {
    const main = await createSourceAccount()
    const id = await createSource(worker, main, 'feishu')
    const { secretSealed } = await stored(id)
    expect(secretSealed).not.toContain(SECRET)
    expect(await openSealed(env.SEAL_KEYS, authSecretPlace(main.accountId, id), secretSealed)).toBe(SECRET)
    await expect(openSealed(env.SEAL_KEYS, authSecretPlace(main.accountId, id + 1), secretSealed)).rejects.toThrow(
      'cannot be opened',
    )
  })

  it('directory 5 · each wrong field is refused with its sentence, and no vendor is asked', async () => {
    const offenders = await findOffenders([
      [{ type: 'qq' }, 'type', '请选择类型'],
      [{ name: ' ' }, 'name', '请输入认证源名称'],
      [{ name: undefined }, 'name', '请输入认证源名称'],
      [{ name: '名'.repeat(25) }, 'name', '认证源名称不能超过24个字符'],
      [{ app_id: '' }, 'app_id', '不能为空'],
      [{ app_id: 'a b' }, 'app_id', '企业ID或应用ID不正确，不能包含空格'],
      [{ app_secret: '' }, 'app_secret', '请输入AppSecret'],
      [{ app_secret: 'x'.repeat(129) }, 'app_secret', 'AppSecret不能超过128个字符'],
      [{ agent_id: '' }, 'agent_id', '请输入应用ID'],
      [{ agent_id: 'x1' }, 'agent_id', '应用ID只能输入数字，不能包含“x”'],
      [{ ...FORMS.dingtalk, corp_id: '' }, 'corp_id', '不能为空'],
      [{ ...FORMS.dingtalk, app_id: '' }, 'app_id', '不能为空'],
      [{ auth_domain: 'a_b' }, 'auth_domain', '请检查域名格式'],
    ])(async (over, field, msg) => {
      const main = await createSourceAccount()
      const asked = vendors.asked.length
      const answer = await call(authSourceApi.create, { ...FORMS.wechat, ...over } as never, main.token)
      expect(answer).toMatchObject({ code: 422, msg, data: { field } })
      expect(vendors.asked).toHaveLength(asked)
    })
    expect(offenders).toEqual([])
  })

  it("shows the vendor's refusal on its field, and stores nothing", async () => {
    const main = await createSourceAccount()
    const wrong = await call(authSourceApi.create, { ...FORMS.wechat, app_secret: 'wrong' }, main.token)
    expect(wrong).toMatchObject({
      code: 422,
      msg: '企业微信返回错误40001：invalid credential',
      data: { field: 'app_secret' },
    })
    const other = createAuthWorker()
    other.vendors.state.refusal = {
      refused: true,
      code: '60020',
      message: 'not allow to access\nfrom your ip',
      field: 'app_id',
    }
    expect(await other.call(authSourceApi.create, FORMS.wechat, main.token)).toMatchObject({
      msg: '企业微信返回错误60020：not allow to access from your ip',
      data: { field: 'app_id' },
    })
    other.vendors.state.isAway = true
    expect(await other.call(authSourceApi.create, FORMS.dingtalk, main.token)).toMatchObject(
      refusal('AUTH_VENDOR_UNREACHABLE', { vendor: '钉钉' }),
    )
    expect((await call(authSourceApi.lists, {}, main.token)).data).toEqual([])
  })

  it('a name is taken once in an account, in either case; other accounts do not matter', async () => {
    const [main, other] = await createMany(2, createSourceAccount)
    await createSource(worker, main!, 'feishu', { name: 'Lark' })
    const again = await call(authSourceApi.create, { ...FORMS.wechat, name: 'LARK' }, main!.token)
    expect(again).toMatchObject(refusal('AUTH_SOURCE_NAME_TAKEN'))
    await createSource(worker, other!, 'feishu', { name: 'Lark' })
  })

  it('an account has so many, also when they are added at once', async () => {
    const main = await createSourceAccount()
    const row = { ...(await stored(await createSource(worker, main, 'feishu'))) }
    for (let n = 2; n < AUTH_SOURCE.max; n++)
      await db.insert(authSources).values({ ...row, id: row.id + n, name: `源${n}` })
    const addOne = () =>
      call(authSourceApi.create, { ...FORMS.wechat, name: crypto.randomUUID().slice(0, 20) }, main.token)
    const answers = await Promise.all([addOne(), addOne(), addOne()])
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422, 422])
    expect(answers.find(({ code }) => code === 422)).toMatchObject(
      refusal('AUTH_SOURCE_LIMIT_REACHED', { limit: AUTH_SOURCE.max }),
    )
  })

  it('an edit keeps the stored secret while the application stays', async () => {
    const main = await createSourceAccount()
    const id = await createSource(worker, main, 'wechat')
    const before = await stored(id)
    const form = { ...FORMS.wechat, id, app_secret: '', name: '新名称' }
    expect(await call(authSourceApi.edit, form, main.token)).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(vendors.asked.at(-1)).toMatchObject({ appId: 'ww01', appSecret: SECRET })
    expect(await stored(id)).toMatchObject({ name: '新名称', secretSealed: before.secretSealed, tenant: 'ww01' })
    for (const moved of [{ app_id: 'ww02' }, { agent_id: '1000003' }])
      expect(await call(authSourceApi.edit, { ...form, ...moved }, main.token)).toMatchObject(
        refusal('AUTH_SOURCE_SECRET_AGAIN'),
      )
    const other = { ...FORMS.feishu, id, app_secret: SECRET }
    expect(await call(authSourceApi.edit, other, main.token)).toMatchObject(refusal('AUTH_SOURCE_TYPE_FIXED'))
    const moved = { ...form, app_id: 'ww02', app_secret: SECRET }
    expect((await call(authSourceApi.edit, moved, main.token)).code).toBe(200)
    expect(await stored(id)).toMatchObject({ appId: 'ww02', tenant: 'ww02' })
  })

  it('another change in the meantime is not overwritten', async () => {
    const main = await createSourceAccount()
    const id = await createSource(worker, main, 'feishu')
    const racing = createAuthWorker()
    const { authVendors } = racing.vendors
    const { probe } = authVendors.feishu
    Object.assign(authVendors.feishu, {
      probe: async (credentials: Parameters<typeof probe>[0]) => {
        await call(authSourceApi.edit, { ...FORMS.feishu, id, name: '先' }, main.token)
        return probe(credentials)
      },
    })
    const late = await racing.call(authSourceApi.edit, { ...FORMS.feishu, id, name: '后' }, main.token)
    expect(late).toMatchObject(refusal('AUTH_SOURCE_CHANGED'))
    expect((await stored(id)).name).toBe('先')
  })

  it('another account’s source answers like none', async () => {
    const [main, other] = await createMany(2, createSourceAccount)
    const id = await createSource(worker, main!, 'feishu')
    const calls = [
      call(authSourceApi.info, { id }, other!.token),
      call(authSourceApi.edit, { ...FORMS.feishu, id }, other!.token),
      call(authSourceApi.enable, { id }, other!.token),
      call(authSourceApi.disable, { id }, other!.token),
      call(authSourceApi.delete, { id }, other!.token),
    ]
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(refusal('AUTH_SOURCE_NOT_FOUND'))
    expect((await stored(id)).status).toBe(1)
  })

  it('the flag that is turned off takes all of it', async () => {
    const main = await createSourceAccount()
    await createSource(worker, main, 'feishu')
    await callWorker(opsApi.setAccountFlags, { account: main.username, software_auth_source: 0 })
    expect(await call(authSourceApi.lists, {}, main.token)).toMatchObject(refusal('AUTH_SOURCE_OFF'))
  })
})

describe('directory 3 · a callback domain of the customer’s own', () => {
  const own = {
    auth_domain: 'SSO.acme.com',
    file_name: 'WW_verify_abcdEFGH12345678.txt',
    file_content: 'abcdEFGH12345678\n',
  }

  it('needs its proof, and WeCom’s file as it is', async () => {
    const main = await createSourceAccount()
    const unproved = await call(authSourceApi.create, { ...FORMS.wechat, ...own }, main.token)
    expect(unproved).toMatchObject({ code: 423, reason: 'AUTH_DOMAIN_UNPROVED' })
    expect(unproved.file_name).toMatch(/^netloom-\w{1,16}\.txt$/)
    await insertDomain(db, main.accountId, 'sso.acme.com', Date.now())
    for (const over of [
      { file_name: '' },
      { file_name: 'WW_verify_abcdEFGH12345679.txt' },
      { file_name: 'WW_verify_abcdEFGH12345678.html' },
      { file_content: 'abcdEFGH12345679' },
      { file_content: '' },
    ])
      expect(await call(authSourceApi.create, { ...FORMS.wechat, ...own, ...over }, main.token)).toMatchObject(
        refusal('AUTH_DOMAIN_FILE'),
      )
    for (const over of [{ file_name: '../WW_verify_abcdEFGH12345678.txt' }, { file_content: '<script>' }])
      expect(await call(authSourceApi.create, { ...FORMS.wechat, ...own, ...over }, main.token)).toMatchObject({
        code: 422,
        data: { field: Object.keys(over)[0] },
      })
    const id = await createSource(worker, main, 'wechat', own)
    expect((await call(authSourceApi.info, { id }, main.token)).data).toMatchObject({
      auth_domain: 'sso.acme.com',
      own_domain: 1,
      redirect_uri: 'https://sso.acme.com/auth/callback',
      file_name: 'WW_verify_abcdEFGH12345678.txt',
    })
    const other = await createSourceAccount()
    await insertDomain(db, other.accountId, 'sso.acme.com', Date.now())
    expect(await call(authSourceApi.create, { ...FORMS.wechat, ...own }, other.token)).toMatchObject(
      refusal('AUTH_DOMAIN_TAKEN'),
    )
  })

  it.each(['console.netloom.cn', 'x.console.netloom.cn', 'localhost.localdomain', 'sso.local', '10.0.0.1'])(
    'is not %s',
    async (auth_domain) => {
      const main = await createSourceAccount()
      const answer = await call(authSourceApi.create, { ...FORMS.wechat, ...own, auth_domain }, main.token)
      expect(answer).toMatchObject(refusal('AUTH_DOMAIN_INVALID'))
    },
  )

  it('is WeCom’s only', async () => {
    const main = await createSourceAccount()
    const id = await createSource(worker, main, 'feishu', { ...own, agent_id: '7', corp_id: 'x' })
    expect(await stored(id)).toMatchObject({ authDomain: '', fileName: '', fileContent: '', agentId: '', corpId: '' })
  })
})
