import { env } from 'cloudflare:test'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Input } from '#contract/kernel/endpoint.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { memberPasswordPlace, openSealed } from '#security/sealed.ts'
import {
  type Caller,
  createFleet,
  createMainAccount,
  createNetwork,
  createService,
  createSubAccount,
  memberRows,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
  unique,
} from '#tests/support/fixtures.ts'
import { insertSoftwareRouters } from '#tests/support/rows.ts'
import { createTestWorker, db, hashes, hubCalls, refusal } from '#tests/support/test-worker.ts'
import { createMemberFile } from '#tests/support/workbooks.ts'

const HEADER = ['账号', '密码', '国家代码', '手机号码', '备注']

async function anAccount(software = 5) {
  const sign = unique('s')
  const main = await createMainAccount({ services: { software_member: software }, sign })
  return { main, sign }
}

type Rows = readonly (readonly string[])[]
const upload = async (by: Caller, rows: Rows, over: Partial<Input<typeof routerApi.batch>> = {}) =>
  by.call(routerApi.batch, { file: await createMemberFile([HEADER, ...rows]), ...over })

const software = (accountId: number) =>
  db
    .select()
    .from(routers)
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, 2)))
    .orderBy(routers.id)

describe('network 7 · router/batch', () => {
  it('adds every row in two round trips; passwords are sealed and none is hashed', async () => {
    const { main, sign } = await anAccount()
    const before = hashes.length
    const reply = await upload(main, [
      ['wang.li_1', 'Weilai26', '', '13800000001', '财务'],
      ['li.na', 'Zhongguo88', '+852', '51234567', ''],
    ])
    expect(reply).toMatchObject({ code: 200, data: { msg: '成功添加2个成员' }, trips: 2 })
    expect(reply.data.result).toEqual([
      { row: 2, router_name: 'wang.li_1', ok: 1, msg: '' },
      { row: 3, router_name: 'li.na', ok: 1, msg: '' },
    ])
    expect(hashes).toHaveLength(before)
    const rows = await software(main.accountId)
    expect(rows).toMatchObject([
      { name: `wang.li_1@${sign}`, areaCode: '86', phone: '13800000001', note: '财务', source: 'batch', password: '' },
      { name: `li.na@${sign}`, areaCode: '852', phone: '51234567', note: '', source: 'batch', password: '' },
    ])
    const { hub, passwordSealed } = rows[0]!
    expect(await openSealed(env.SEAL_KEYS, memberPasswordPlace(main.accountId, hub), passwordSealed!)).toBe('Weilai26')
    const audits = await selectAudits(main.accountId)
    expect(audits).toMatchObject([
      {
        module: 'router',
        action: 'batch',
        target: `wang.li_1@${sign}`,
        message: `批量添加软件成员“wang.li_1@${sign}”`,
        after: JSON.stringify({
          router_name: `wang.li_1@${sign}`,
          note: '财务',
          area_code: '86',
          phone: '13800000001',
        }),
      },
      { target: `li.na@${sign}` },
    ])
    expect(JSON.stringify(audits)).not.toContain('Weilai26')
  })

  const WRONG: readonly (readonly [typed: readonly string[], msg: string])[] = [
    [['', 'Weilai26'], '请输入账号'],
    [['王', 'Weilai26'], '名称不能包含特殊字符和中文'],
    [['ab', 'Weilai26'], '账号不能少于3个字符'],
    [['a'.repeat(19), 'Weilai26'], '账号不能超过18个字符'],
    [['abc-d', 'Weilai26'], '名称不能包含特殊字符和中文'],
    [['abc', '12345'], '密码为6-18位字母或数字'],
    [['abc', 'Weilai_26'], '密码为6-18位字母或数字'],
    [['abc', '12345678'], '该密码过于常见，容易被猜到，请更换'],
    [['qiming01', 'Qiming01'], '密码不能与用户名、昵称、邮箱或手机号码相同，请更换'],
    [['abc', 'Weilai26', '', '12800000000'], '请输入正确的手机号码'],
    [['abc', 'Weilai26', '', '', '备'.repeat(21)], '备注不能超过20个字符'],
    [['abc', 'Weilai26', '', '', '<b>'], '备注由文字、数字、空格和_.-()·组成，不能包含“<”'],
    [['abc', 'Weilai26', '1234', '51234567'], '国家代码不正确，请填写区号，例如852'],
  ]
  it('network 5: refuses each wrong cell, and with it the whole file', async () => {
    const { main } = await anAccount(50)
    const reply = await upload(main, [['good', 'Weilai26'], ...WRONG.map(([typed]) => typed)])
    expect(reply).toMatchObject({ code: 200, data: { msg: '未添加任何成员，请按结果修改后重试' }, trips: 1 })
    expect(reply.data.result.map(({ ok, msg }) => [ok, msg])).toEqual([
      [0, '其他行有误，未添加'],
      ...WRONG.map(([, msg]) => [0, msg]),
    ])
    expect(await software(main.accountId)).toEqual([])
    expect(await selectAudits(main.accountId)).toEqual([])
  })

  it('with all 0 the right rows are added, and the others say why not', async () => {
    const { main, sign } = await anAccount(4)
    await insertSoftwareRouters(main.accountId, [`taken@${sign}`])
    await db
      .update(routers)
      .set({ phone: '13800000001' })
      .where(eq(routers.name, `taken@${sign}`))
    const reply = await upload(
      main,
      [
        ['first', 'Weilai26', '', '13800000002'],
        ['FIRST', 'Weilai26'],
        ['TAKEN', 'Weilai26'],
        ['phone1', 'Weilai26', '', '13800000001'],
        ['phone2', 'Weilai26', '86', '138 0000 0002'],
        ['second', 'Weilai26'],
        ['third', 'Weilai26'],
        ['fourth', 'Weilai26'],
      ],
      { all: '0' as never },
    )
    expect(reply).toMatchObject({ code: 200, data: { msg: '成功添加3个成员，失败5个' } })
    expect(reply.data.result.map(({ row, ok, msg }) => [row, ok, msg])).toEqual([
      [2, 1, ''],
      [3, 0, '账号与第2行重复'],
      [4, 0, '该账号已存在，请更换'],
      [5, 0, '该手机号码已绑定其他成员，请更换'],
      [6, 0, '手机号码与第2行重复'],
      [7, 1, ''],
      [8, 1, ''],
      [9, 0, '软件成员数量已达上限4个，请升级'],
    ])
    expect(await software(main.accountId)).toHaveLength(4)
  })

  it.each([
    [['账号', '口令'], 'WORKBOOK_HEADER', { columns: '“密码”', hint: '，无法识别B列的“口令”', rows: 5 }],
    [['账号'], 'WORKBOOK_HEADER', { columns: '“密码”', hint: '', rows: 5 }],
    [['账号', '密码', '部门'], 'WORKBOOK_COLUMN_UNKNOWN', { column: 'C', title: '部门' }],
    [['账号', '密码', '密码'], 'WORKBOOK_COLUMN_TWICE', { columns: 'B列“密码”和C列“密码”' }],
  ] as const)('of the header %j names the column that is wrong', async (header, key, params) => {
    const { main } = await anAccount()
    const reply = await main.call(routerApi.batch, { file: await createMemberFile([header, ['abc', 'Weilai26', 'x']]) })
    expect(reply).toMatchObject({ ...refusal(key, params), data: { field: 'file' } })
  })

  it('refuses a file without rows, and one whose columns were swapped', async () => {
    const { main } = await anAccount()
    expect(await upload(main, [])).toMatchObject(refusal('WORKBOOK_EMPTY'))
    const swapped = { first: '账号', second: '密码' }
    expect(await upload(main, [['Weilai26', 'wang.li']])).toMatchObject(refusal('WORKBOOK_COLUMNS_SWAPPED', swapped))
  })

  it('takes the header below titles, by other words, and cells as people paste them', async () => {
    const { main, sign } = await anAccount()
    const rows = [
      ['软件成员名单'],
      ['账号（必填）', '密码（必填）', '区号', '手机号', '备注'],
      ['必填，3-18位', '必填，6-18位', '选填', '选填', '选填'],
      ['\u202dli.na\u202c', 'Zhongguo88', '', '＋852 5123–4567', '阿卜杜·买买提'],
      ['wang.li', 'Weilai26', '0086', '138 0000 0001', ''],
    ]
    const reply = await main.call(routerApi.batch, { file: await createMemberFile(rows) })
    expect(reply).toMatchObject({
      code: 200,
      data: {
        result: [
          { row: 4, ok: 1 },
          { row: 5, ok: 1 },
        ],
      },
    })
    expect(await software(main.accountId)).toMatchObject([
      { name: `li.na@${sign}`, areaCode: '852', phone: '51234567', note: '阿卜杜·买买提' },
      { name: `wang.li@${sign}`, areaCode: '86', phone: '13800000001', note: '' },
    ])
  })

  it('needs a suffix', async () => {
    const main = await createMainAccount({ services: { software_member: 3 } })
    expect(await upload(main, [['abc', 'Weilai26']])).toMatchObject(refusal('SIGN_REQUIRED'))
  })

  it('two files at once for one quota: one is added', async () => {
    const { main } = await anAccount(3)
    const files = [
      ['a', 'b'],
      ['c', 'd'],
    ].map((names) => names.map((name) => [`user${name}`, 'Weilai26']))
    const replies = await Promise.all(files.map((rows) => upload(main, rows)))
    const isAdded = ({ code, data }: (typeof replies)[number]) =>
      code === 200 && data.result.every(({ ok }) => ok === 1)
    expect(replies.filter(isAdded)).toHaveLength(1)
    expect(await software(main.accountId)).toHaveLength(2)
  })

  it('a name that somebody else takes meanwhile stops the file', async () => {
    const { main, sign } = await anAccount(3)
    const worker = createTestWorker({ afterFirstTrip: () => insertSoftwareRouters(main.accountId, [`abc@${sign}`]) })
    const file = await createMemberFile([HEADER, ['abc', 'Weilai26'], ['def', 'Weilai26']])
    expect(await worker.call(routerApi.batch, { file }, main.token)).toMatchObject(refusal('MEMBERS_CHANGED'))
    expect(await software(main.accountId)).toHaveLength(1)
  })

  it('1,000 members in one batch', async () => {
    const { main } = await anAccount(1_000)
    const rows = Array.from({ length: 1_000 }, (_, n) => [
      `user${n}`,
      `Weilai26x${n}`,
      '',
      `138${10_000_000 + n}`,
      `第${n}个`,
    ])
    const reply = await upload(main, rows)
    expect(reply).toMatchObject({ code: 200, data: { msg: '成功添加1000个成员' }, trips: 2 })
    expect(await software(main.accountId)).toHaveLength(1_000)
  })
})

describe('network 6 · router/batch into a network', () => {
  const FLAGS = ['router:create'] as const

  it('a limited role joins them to a covered network in the same batch', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20, software: 0 })
    const [covered, other] = [await createNetwork(main, [all[0]!]), await createNetwork(main, [all[1]!])]
    const sign = await bindSign(main)
    const limited = await createSubAccount(main, { flags: FLAGS, networks: [covered] })
    const since = hubCalls.length
    const rows = [
      ['abc', 'Weilai26'],
      ['def', 'Weilai26'],
    ]
    expect(await upload(limited, rows)).toMatchObject(refusal('NETWORK_CHOICE_REQUIRED'))
    expect(await upload(limited, rows, { network_number: other })).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    const reply = await upload(limited, rows, { network_number: covered })
    expect(reply).toMatchObject({ code: 200, data: { msg: '成功添加2个成员' }, trips: 2 })
    const members = await memberRows(covered)
    expect(members).toMatchObject([{ memberType: 'center' }, { memberType: 'point' }, { memberType: 'point' }])
    expect(new Set(members.map(({ host }) => host)).size).toBe(3)
    expect((await limited.call(routerApi.software, {})).data.map((row) => row.router_name).toSorted()).toEqual([
      `abc@${sign}`,
      `def@${sign}`,
    ])
    expect(refreshed(since)).toEqual(toHubs(all[0]))
    const hub = (await networkRow(covered)).hub
    expect(hubCalls.slice(since).filter((call) => call.hub === hub)).toHaveLength(1)
  })

  it('refuses more than the network’s quota holds, and adds nobody', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 2, software: 0 })
    const number = await createNetwork(main, [all[0]!])
    await bindSign(main)
    const reply = await upload(
      main,
      [
        ['abc', 'Weilai26'],
        ['def', 'Weilai26'],
      ],
      { network_number: number },
    )
    expect(reply).toMatchObject(refusal('MEMBER_LIMIT_REACHED', { limit: 2 }))
    expect(await software(main.accountId)).toEqual([])
  })

  it('is for those who may', async () => {
    const { main } = await anAccount()
    const sub = await createSubAccount(main, { flags: ['router:edit', 'router:delete'] })
    expect(await upload(sub, [['abc', 'Weilai26']])).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

/** A suffix, and quota for software members. */
async function bindSign(main: Caller): Promise<string> {
  const sign = unique('s')
  await db.update(accounts).set({ sign }).where(eq(accounts.id, main.accountId))
  await createService(main.accountId, 'software_member', 10)
  return sign
}
