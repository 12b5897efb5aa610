import { eq } from 'drizzle-orm'
import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import {
  createDirectory,
  directoryStub,
  entries,
  entry,
  saveTestConfig,
  useDirectory,
} from '#tests/support/directory.ts'
import { createSubAccount } from '#tests/support/fixtures.ts'
import { insertDevice, insertNetwork, insertRouter, unique } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

import { createCompany, createConnected, worker } from '#tests/support/directory-company.ts'

describe('directory 7 · members', () => {
  it('user lists ten a page, import takes one or several, a stale hash is 204', async () => {
    const { call, hash, run, directory } = await createConnected(entries(12))
    const page = await call(ldapApi.user, { page: 2 })
    expect(page).toMatchObject({ count: 12, hash, trips: 1 })
    expect(page.data).toHaveLength(2)
    expect(await call(ldapApi.user, { search: 'U11' })).toMatchObject({
      count: 1,
      data: [{ username: 'u11', exist: 0, disable: 0, verify: '可导入' }],
    })
    expect(await call(ldapApi.import, { hash, uuid: 'id-u1' })).toMatchObject({
      code: 200,
      data: { added: 1, result: [{ uuid: 'id-u1', ok: 1 }] },
    })
    expect(await call(ldapApi.user, { exist: '1' })).toMatchObject({ count: 1, data: [{ verify: '已导入', exist: 1 }] })
    expect(await call(ldapApi.importAll, { hash })).toMatchObject({ data: { added: 11 } })
    directory.users = entries(11)
    await call(ldapApi.restartSync, {})
    await run()
    expect(await call(ldapApi.import, { hash, uuid: 'id-u1' })).toMatchObject({
      code: 204,
      reason: 'LDAP_LIST_CHANGED',
    })
    expect(await call(ldapApi.plan, { kind: 'removable' })).toMatchObject({
      count: 1,
      data: { removable: 1, disabled: 1, names: [{ name: 'u11' }] },
    })
  })

  it('the plan tells of each change what was and what will be', async () => {
    const { call, run, directory } = await createConnected(entries(3))
    await call(ldapApi.sync, { hash: (await call(ldapApi.user, {})).hash })
    directory.users = [
      entry('u0', { username: 'u0new' }),
      entry('u1', { displayName: '新备注', phones: ['13812340001'] }),
      entry('u2', { username: 'u2new', displayName: '王五' }),
    ]
    await call(ldapApi.restartSync, {})
    await run()
    const { data } = await call(ldapApi.plan, { kind: 'changed' })
    expect(data.names).toMatchObject([
      { name: 'u0', to: 'u0new', reason: '' },
      { name: 'u1', to: '', reason: '备注 用户u1 → 新备注；手机号 空 → 13812340001' },
      { name: 'u2', to: 'u2new', reason: '备注 用户u2 → 王五' },
    ])
  })

  it('sync disables, remove_disable deletes who is disabled in the directory, undo gives back', async () => {
    const { call, run, directory, accountId, main, sign } = await createConnected(entries(3))
    await call(ldapApi.sync, { hash: (await call(ldapApi.user, {})).hash })
    directory.users = [entry('u0'), entry('u1', { isDisabled: true })]
    await call(ldapApi.restartSync, {})
    await run()
    const { hash } = await call(ldapApi.user, {})
    expect(await call(ldapApi.sync, { hash })).toMatchObject({ data: { disabled: 2, added: 0 } })
    expect(await call(ldapApi.removeDisable, {})).toMatchObject({ code: 200, data: { removable: 1 } })
    const names = async () =>
      (await db.select({ name: routers.name }).from(routers).where(eq(routers.accountId, accountId)))
        .map(({ name }) => name)
        .toSorted()
    expect(await names()).toEqual([`u0@${sign}`, `u2@${sign}`])
    const runs = await call(ldapApi.runs, {})
    expect(runs.data.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['remove', main.username],
      ['sync', main.username],
      ['sync', main.username],
    ])
    expect(await call(ldapApi.undo, { id: runs.data[0]!.id })).toMatchObject({ code: 200 })
    expect(await names()).toEqual([`u0@${sign}`, `u1@${sign}`, `u2@${sign}`])
  })

  it('a member that is enabled in the directory is not removed, with the reason', async () => {
    const { call, hash, run, directory, sign, accountId } = await createConnected(entries(2))
    await call(ldapApi.importAll, { hash })
    directory.users = entries(1)
    await call(ldapApi.restartSync, {})
    await run()
    const listed = await call(ldapApi.user, {})
    expect(await call(ldapApi.remove, { hash: listed.hash, uuid: ['id-u0', 'id-u1', 'nobody'] })).toMatchObject({
      code: 200,
      data: {
        removable: 1,
        result: [
          { uuid: 'id-u0', ok: 0, msg: ERRORS.LDAP_REMOVE_NOTHING.msg },
          { uuid: 'id-u1', ok: 1, msg: '' },
          { uuid: 'nobody', ok: 0, msg: ERRORS.LDAP_REMOVE_NOTHING.msg },
        ],
      },
    })
    const left = await db.select({ name: routers.name }).from(routers).where(eq(routers.accountId, accountId))
    expect(left).toEqual([{ name: `u0@${sign}` }])
  })

  it('remove_all deletes all whom the directory disabled or lost, once, and undo gives them back', async () => {
    const { call, hash, run, directory, main, sign, accountId } = await createConnected(entries(4))
    await call(ldapApi.importAll, { hash })
    directory.users = [entry('u0'), entry('u1', { isDisabled: true }), entry('u2')]
    await call(ldapApi.restartSync, {})
    await run()
    const names = async () =>
      (await db.select({ name: routers.name }).from(routers).where(eq(routers.accountId, accountId)))
        .map(({ name }) => name.replace(`@${sign}`, ''))
        .toSorted()
    const runs = async () => (await call(ldapApi.runs, {})).data.map(({ id, kind, actor }) => ({ id, kind, actor }))
    expect(await call(ldapApi.removeAll, { hash })).toMatchObject(refusal('LDAP_LIST_CHANGED'))
    expect(await names()).toEqual(['u0', 'u1', 'u2', 'u3'])

    const listed = await call(ldapApi.user, {})
    expect(await call(ldapApi.removeAll, { hash: listed.hash })).toMatchObject({
      code: 200,
      msg: '删除成功',
      data: { removable: 2, added: 0, changed: 0, disabled: 0, result: [] },
    })
    expect(await names()).toEqual(['u0', 'u2'])
    const [removed, ...before] = await runs()
    expect(removed).toMatchObject({ kind: 'remove', actor: main.username })

    expect(await call(ldapApi.removeAll, { hash: listed.hash })).toMatchObject({ code: 200, data: { removable: 0 } })
    expect(await names()).toEqual(['u0', 'u2'])
    expect(await runs()).toEqual([removed, ...before])
    expect((await call(ldapApi.undo, { id: removed!.id })).code).toBe(200)
    expect(await names()).toEqual(['u0', 'u1', 'u2', 'u3'])
  })

  it('a sub-account with every right removes nobody', async () => {
    const { call, hash, run, directory, main, accountId } = await createConnected(entries(2))
    await call(ldapApi.importAll, { hash })
    directory.users = []
    await call(ldapApi.restartSync, {})
    await run()
    const sub = await createSubAccount(main, { flags: PERMISSIONS })
    const listed = await call(ldapApi.user, {})
    expect(listed.data.map(({ verify }) => verify)).toEqual(['目录中已删除', '目录中已删除'])
    for (const [spec, input] of [
      [ldapApi.removeAll, { hash: listed.hash }],
      [ldapApi.remove, { hash: listed.hash, uuid: ['id-u0'] }],
      [ldapApi.removeDisable, {}],
    ] as const)
      expect(await worker.call(spec, input as never, sub.token)).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await db.$count(routers, eq(routers.accountId, accountId))).toBe(2)
  })

  it('an account without a suffix imports nobody', async () => {
    const { call, hash, accountId } = await createConnected(entries(2))
    await db.update(accounts).set({ sign: null }).where(eq(accounts.id, accountId))
    const missing = refusal('LDAP_SIGN_REQUIRED')
    expect(await call(ldapApi.importAll, { hash })).toMatchObject(missing)
    expect(await call(ldapApi.import, { hash, uuid: 'id-u0' })).toMatchObject(missing)
    expect(await call(ldapApi.sync, { hash })).toMatchObject(missing)
    expect(await db.select().from(routers).where(eq(routers.accountId, accountId))).toEqual([])
  })

  it('are managed by the directory alone', async () => {
    const { call, hash, sign } = await createConnected(entries(1))
    await call(ldapApi.importAll, { hash })
    const router_name = `u0@${sign}`
    const managed = refusal('LDAP_MANAGED')
    expect(await call(routerApi.delete, { router_name })).toMatchObject(managed)
    expect(await call(routerApi.password, { router_name, password: 'Other2026' })).toMatchObject(managed)
    expect(await call(routerApi.phone, { router_name, phone: '13800000009', type: 1 })).toMatchObject(managed)
    expect(await call(routerApi.batchDelete, { router_name: [router_name] })).toMatchObject(managed)
    expect((await call(routerApi.note, { router_name, note: '自己的备注' })).code).toBe(200)
  })

  it('a network that they join cannot be deleted', async () => {
    const company = await createCompany()
    const network = await insertNetwork({ accountId: company.accountId })
    await company.save({ network_number: network.number })
    expect(await company.call(networkApi.delete, { network_number: network.number })).toMatchObject({
      reason: 'LDAP_NETWORK_IN_USE',
    })
  })

  it('a device whose tunnel leads to the directory cannot be deleted', async () => {
    const { call, accountId } = await createCompany()
    const { id: deviceId } = await insertDevice()
    const router = await insertRouter({ accountId, name: unique('NL'), deviceId })
    await saveTestConfig(accountId, { syncMode: 1, networkId: null, over: { mode: 'private', routerId: router.id } })
    const router_name = router.name
    expect(await call(routerApi.delete, { router_name })).toMatchObject(
      refusal('LDAP_ROUTER_IN_USE', { name: router_name }),
    )
    expect((await call(routerApi.batchDelete, { router_name: [router_name] })).code).not.toBe(200)
    expect(await db.select().from(routers).where(eq(routers.id, router.id))).toHaveLength(1)
  })

  it('a mode that is set again writes nothing', async () => {
    const { call } = await createConnected()
    expect(await call(ldapApi.syncMode, { sync_mode: 1 })).toMatchObject({ code: 200, trips: 1 })
    expect(await call(ldapApi.syncMode, { sync_mode: 2 })).toMatchObject({ code: 200, trips: 2 })
    expect(await call(ldapApi.status, {})).toMatchObject({ enable: 1, data: { sync_mode: 2, status: 1 } })
  })

  it('a run that asks is confirmed with its hash', async () => {
    const { call, run, directory, hash } = await createConnected(entries(5))
    await call(ldapApi.importAll, { hash })
    await call(ldapApi.syncMode, { sync_mode: 2 })
    directory.users = entries(5).slice(3)
    await call(ldapApi.restartSync, {})
    await run()
    const status = await call(ldapApi.syncStatus, {})
    expect(status).toMatchObject({
      data: {
        count: 5,
        service: { status: 1, cycle: 60, message: '' },
        run: { state: 'asking', stop: 'share', counts: { disabled: 3 } },
      },
      trips: 1,
    })
    expect(await call(ldapApi.confirm, { hash: 'x' })).toMatchObject(refusal('LDAP_NOTHING_TO_CONFIRM'))
    expect((await call(ldapApi.confirm, { hash: status.data.run!.hash })).code).toBe(200)
    await run()
    expect(await call(ldapApi.syncStatus, {})).toMatchObject({ data: { run: { state: 'done' } } })
  })

  it('a failed run shows its sentence, and restart_sync clears it', async () => {
    const { call, run, directory, main } = await createConnected()
    directory.failure = new DirectoryError('bind_refused')
    await call(ldapApi.restartSync, {})
    await run()
    expect((await call(ldapApi.syncStatus, {})).data.service).toMatchObject({
      status: 0,
      message: '用户名或密码错误，请核对后重试',
      actor: main.username,
    })
    const { data: runs } = await call(ldapApi.runs, {})
    expect(runs[0]).toMatchObject({ kind: 'list', state: 'failed', actor: main.username })
    directory.failure = null
    expect(await call(ldapApi.restartSync, {})).toMatchObject({ code: 200, msg: '启动成功' })
    await run()
    expect((await call(ldapApi.syncStatus, {})).data.service).toMatchObject({ status: 1, message: '' })
  })

  it('closing needs their number, deletes them, and can be undone', async () => {
    const { call, hash } = await createConnected()
    await call(ldapApi.importAll, { hash })
    expect(await call(ldapApi.delete, {})).toMatchObject({ msg: '请输入“3”确认关闭' })
    expect(await call(ldapApi.delete, { confirm: 3 })).toMatchObject({ code: 200, msg: '关闭成功' })
    expect(await call(ldapApi.status, {})).toMatchObject({ enable: 0 })
    const { data } = await call(ldapApi.runs, {})
    expect((await call(ldapApi.undo, { id: data[0]!.id })).code).toBe(200)
    expect(await call(ldapApi.status, {})).toMatchObject({ enable: 1, data: { sync_mode: 1 } })
    expect(await call(ldapApi.syncStatus, {})).toMatchObject({ data: { count: 3 } })
  })
})

it('another tenant reaches nothing of it', async () => {
  const { hash } = await createConnected()
  const other = await createCompany()
  expect(await other.call(ldapApi.user, {})).toMatchObject(refusal('LDAP_OFF'))
  await useDirectory(other.hub, createDirectory([]))
  await other.save()
  await runDurableObjectAlarm(directoryStub(other.hub))
  expect(await other.call(ldapApi.importAll, { hash })).toMatchObject({ reason: 'LDAP_LIST_CHANGED' })
})
