import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { routerApi } from '#contract/router/index.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { routers } from '#db/schema/routers.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createSoftwareRouter,
  createSubAccount,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { insertSoftwareRouters } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'
import { readShown } from '#tests/support/workbooks.ts'

const rowsOf = (answer: { readonly bytes?: ArrayBuffer }, rowsMax?: number) =>
  readShown(new Uint8Array(answer.bytes!), rowsMax)
const HEADER = ['router_name', 'area_number', 'phone', 'note']

describe('network 7 · router/software, router/hardware', () => {
  it('answer rows of the lists, by page and search', async () => {
    const { main, routers: all } = await createFleet({ hardware: 2, software: 0 })
    await createSoftwareRouter(main.accountId, { name: `li@${unique('s')}`, note: '上海' })
    await createSoftwareRouter(main.accountId, { note: '北京' })
    const hardware = await main.call(routerApi.hardware, {})
    expect(hardware).toMatchObject({ code: 200, trips: 1, count: 2 })
    expect(hardware.data).toEqual((await main.call(routerApi.lists, {})).data)
    expect(hardware.data.map((row) => row.router_name).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
    expect(await main.call(routerApi.software, { search: '上海' })).toMatchObject({
      count: 1,
      data: [{ note: '上海' }],
    })
    const second = await main.call(routerApi.software, { page: '2' as never, limit: 10 })
    expect(second).toMatchObject({ count: 2, data: [] })
  })
})

describe('network 7 · router/export', () => {
  it('is a workbook of router_name, area_number, phone, note, audited with the number of rows', async () => {
    const main = await createMainAccount()
    const [a, b] = [
      await createSoftwareRouter(main.accountId, { phone: '13800000001', note: '=1+1' }),
      await createSoftwareRouter(main.accountId, { note: '财务' }),
    ]
    await db.update(routers).set({ passwordSealed: 'sealed-secret' }).where(eq(routers.id, a.id))
    const answer = await main.call(routerApi.export, {})
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(answer.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(answer.headers.get('content-disposition')).toContain(encodeURIComponent('软件成员.xlsx'))
    expect(await rowsOf(answer)).toEqual([HEADER, [b.name, '', '', '财务'], [a.name, '86', '13800000001', '=1+1']])
    expect(await selectAudits(main.accountId)).toMatchObject([
      { module: 'router', action: 'export', message: '导出2个软件成员', after: JSON.stringify({ rows: 2 }) },
    ])
  })

  it('a role sees only what it covers, and needs router:edit', async () => {
    const { main, routers: all, apps } = await createFleet({ software: 2 })
    const covered = await createNetwork(main, [all[0]!, apps[0]!])
    const limited = await createSubAccount(main, { flags: ['router:edit'], networks: [covered] })
    expect(await rowsOf(await limited.call(routerApi.export, {}))).toEqual([HEADER, [apps[0]!.name]])
    const other = await createSubAccount(main, { flags: ['router:create', 'router:delete'] })
    expect(await other.call(routerApi.export, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })

  it('reads portion by portion', async () => {
    const main = await createMainAccount()
    const count = 2 * MEMBER_FILE.portion + 1
    const names = Array.from({ length: count }, (_, n) => `u${n}@${main.username}`)
    await insertSoftwareRouters(main.accountId, names)
    const rows = await rowsOf(await main.call(routerApi.export, {}), count + 1)
    expect(rows.slice(1).map(([name]) => name)).toEqual(names.toReversed())
  })
})

describe('network 7 · router/software_template, router/software_delete_template', () => {
  it.each([
    [routerApi.softwareTemplate, ['账号', '密码', '国家代码', '手机号码', '备注']],
    [routerApi.softwareDeleteTemplate, ['账号']],
  ] as const)('$path', async (spec, header) => {
    const sub = await createSubAccount(await createMainAccount(), {})
    const [titles, rules = [], ...others] = await rowsOf(await sub.call(spec, {}))
    expect([titles, others]).toEqual([header, []])
    expect(rules.map((rule) => /^[必选]填，/.test(rule))).toEqual(header.map(() => true))
  })

  it('uploaded as they are, have no members', async () => {
    const main = await createMainAccount({ services: { software_member: 3 }, sign: unique('s') })
    for (const [template, upload] of [
      [routerApi.softwareTemplate, routerApi.batch],
      [routerApi.softwareDeleteTemplate, routerApi.batchDeleteFile],
    ] as const) {
      const file = new File([(await main.call(template, {})).bytes!], 'template.xlsx')
      expect(await main.call(upload, { file })).toMatchObject(refusal('WORKBOOK_EMPTY'))
    }
  })
})
