import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers } from '#db/schema/routers.ts'
import {
  type Caller,
  createFleet,
  createMainAccount,
  createNetwork,
  createSubAccount,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { insertSoftwareRouters } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'
import { createMemberFile } from '#tests/support/workbooks.ts'

async function anAccount() {
  const sign = unique('s')
  return { main: await createMainAccount({ sign }), sign }
}

const software = (accountId: number) =>
  db
    .select()
    .from(routers)
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, 2)))
    .orderBy(routers.id)

describe('network 7 · router/batch_delete_file', () => {
  const remove = async (by: Caller, names: readonly string[], header = '账号') =>
    by.call(routerApi.batchDeleteFile, { file: await createMemberFile([[header], ...names.map((name) => [name])]) })

  it('deletes the members named, with or without their suffix, and says why others stay', async () => {
    const { main, sign } = await anAccount()
    const { routers: all } = await createFleet({ hardware: 1, software: 0 })
    const long = `very-long-name.of_a-directory-${'x'.repeat(10)}`
    await insertSoftwareRouters(
      main.accountId,
      ['a', 'b', 'keep', long].map((name) => `${name}@${sign}`),
    )
    const names = ['a', `B@${sign}`, long, 'A', 'nobody', 'no way', all[0]!.name]
    const reply = await remove(main, names)
    expect(reply).toMatchObject({ code: 200, data: { msg: '成功删除3个成员，失败4个' }, trips: 2 })
    expect(reply.data.result).toEqual([
      { row: 2, router_name: 'a', ok: 1, msg: '' },
      { row: 3, router_name: `B@${sign}`, ok: 1, msg: '' },
      { row: 4, router_name: long, ok: 1, msg: '' },
      { row: 5, router_name: 'A', ok: 0, msg: '账号与第2行重复', reason: 'ROW_NAME_TWICE' },
      { row: 6, router_name: 'nobody', ok: 0, msg: '成员不存在或已被删除', reason: 'ROUTER_NOT_FOUND' },
      { row: 7, router_name: 'no way', ok: 0, msg: '账号格式不正确，不能包含空格' },
      { row: 8, router_name: all[0]!.name, ok: 0, msg: '成员不存在或已被删除', reason: 'ROUTER_NOT_FOUND' },
    ])
    expect((await software(main.accountId)).map(({ name }) => name)).toEqual([`keep@${sign}`])
    expect((await selectAudits(main.accountId)).map(({ action, target }) => [action, target])).toEqual(
      ['a', 'b', long].map((name) => ['batch_delete_file', `${name}@${sign}`]),
    )
  })

  it('takes an exported file as it is, and two spellings of one name', async () => {
    const { main, sign } = await anAccount()
    await insertSoftwareRouters(main.accountId, [`abc@${sign}`])
    const exported = new File([(await main.call(routerApi.export, {})).bytes!], 'exported.xlsx')
    expect(await main.call(routerApi.batchDeleteFile, { file: exported })).toMatchObject({
      data: { msg: '成功删除1个成员' },
    })
    await insertSoftwareRouters(main.accountId, [`def@${sign}`])
    const reply = await remove(main, ['def', `def@${sign}`])
    expect(reply).toMatchObject({ data: { msg: '成功删除1个成员，失败1个' }, trips: 2 })
    expect(reply.data.result[1]).toMatchObject({ ok: 0, reason: 'MEMBER_NAMED_TWICE' })
  })

  it('network 4: a centre cannot be named by such a file: its names have the suffix of software members', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20 })
    const number = await createNetwork(main, [all[0]!, all[1]!])
    const reply = await remove(main, [all[0]!.name])
    expect(reply.data.result.map(({ ok, msg }) => [ok, msg])).toEqual([[0, '成员不存在或已被删除']])
    expect(reply.trips).toBe(1)
    expect((await main.call(networkApi.info, { network_number: number })).data.member).toHaveLength(2)
  })

  it('nobody deleted: nothing is written', async () => {
    const { main } = await anAccount()
    expect(await remove(main, ['nobody'])).toMatchObject({
      code: 200,
      data: { msg: '未删除任何成员，请按结果修改后重试' },
      trips: 1,
    })
  })

  it('network 6: a limited role deletes members all of whose networks it covers', async () => {
    const { main, routers: all, apps } = await createFleet({ memberQuota: 20, software: 3 })
    const covered = await createNetwork(main, [all[0]!, apps[0]!, apps[1]!])
    await createNetwork(main, [all[1]!, apps[1]!, apps[2]!])
    const limited = await createSubAccount(main, { flags: ['router:delete'], networks: [covered] })
    const reply = await remove(
      limited,
      apps.map(({ name }) => name),
    )
    expect(reply.data.result.map(({ ok, msg }) => [ok, msg])).toEqual([
      [1, ''],
      [0, '该成员还在您无权管理的组网中，请联系主账号处理'],
      [0, '成员不存在或已被删除'],
    ])
    const other = await createSubAccount(main, { flags: ['router:create', 'router:edit'] })
    expect(await remove(other, [apps[1]!.name])).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})
