import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { alertCommands } from '#db/schema/monitor.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createSubAccount,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

/** Form as a client of account 7 sends it. */
const form = (over: object = {}) => ({
  email_confirm: 0 as const,
  webhook_confirm: 0 as const,
  portal_confirm: 1 as const,
  router_online: 0 as const,
  router_offline: 1 as const,
  service_expired: 1 as const,
  pop_connect: 1 as const,
  router: [] as string[],
  ...over,
})

describe('account 7 · monitor/config, setting', () => {
  it('answers the defaults of an account that has set nothing', async () => {
    const { call } = await createMainAccount()
    expect(await call(monitorApi.config, {})).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        enable: 0,
        portal_confirm: 1,
        email_confirm: 0,
        router_offline: 1,
        all_routers: 1,
        router: [],
        rules: {
          router_offline: { delay: 3, severity: 'warning' },
          pop_connect: { delay: 1 },
          config_failed: { delay: 0 },
        },
        has_email: 0,
        has_webhook: 0,
      },
    })
  })
  it('takes names in and answers names with notes', async () => {
    const { main, routers } = await createFleet()
    const [first] = routers
    expect(await main.call(monitorApi.setting, form({ router: [first!.name] }))).toMatchObject({
      code: 200,
      msg: '设置成功',
      trips: 2,
    })
    expect((await main.call(monitorApi.config, {})).data).toMatchObject({
      all_routers: 0,
      router: [{ router_name: first!.name, note: '' }],
    })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ module: 'monitor', action: 'setting' })
    expect(hubCalls.some(({ hub, method }) => hub === main.hub && method === 'refresh')).toBe(true)
  })
  it('portal_confirm is 1 whatever is sent', async () => {
    const { call } = await createMainAccount()
    await call(monitorApi.setting, form({ portal_confirm: 0, router_online: 1 }))
    expect((await call(monitorApi.config, {})).data).toMatchObject({ portal_confirm: 1, router_online: 1 })
  })
  it('an empty list with 全部成员 off is refused on its field', async () => {
    const { call } = await createMainAccount()
    expect(await call(monitorApi.setting, form({ all_routers: 0 }))).toMatchObject({
      ...refusal('MONITOR_ROUTERS_REQUIRED'),
      msg: '请选择成员',
      data: { field: 'router' },
    })
  })
  it('keeps what is not sent, and sets delay, severity and quiet hours', async () => {
    const { call } = await createMainAccount()
    const rules = { router_offline: { delay: 60, severity: 'critical' as const } }
    await call(monitorApi.setting, form({ rules, quiet: { on: 1, start: 1320, end: 480 }, flapping: 0 }))
    await call(monitorApi.setting, form({ router_online: 1 }))
    expect((await call(monitorApi.config, {})).data).toMatchObject({
      router_online: 1,
      flapping: 0,
      rules: { router_offline: { delay: 60, severity: 'critical' }, pop_connect: { delay: 1 } },
      quiet: { on: 1, start: 1320, end: 480 },
    })
  })
  it.each([-1, 61, 1.5])('a delay of %s minutes is refused', async (delay) => {
    const { call } = await createMainAccount()
    const rules = { router_offline: { delay, severity: 'warning' as const } }
    expect(await call(monitorApi.setting, form({ rules }))).toMatchObject({ code: 422, msg: '持续时间为0-60分钟' })
  })
  it('account 4 · e-mail needs a bound one, webhook a configured one', async () => {
    const main = await createMainAccount()
    expect(await main.call(monitorApi.setting, form({ email_confirm: 1 }))).toMatchObject({
      ...refusal('MONITOR_EMAIL_REQUIRED'),
      msg: '请绑定邮箱再进行勾选',
    })
    expect(await main.call(monitorApi.setting, form({ webhook_confirm: 1 }))).toMatchObject({
      ...refusal('MONITOR_WEBHOOK_REQUIRED'),
      msg: '请配置webhook再进行勾选',
    })
    await db
      .update(accounts)
      .set({ email: `${unique('m')}@example.com` })
      .where(eq(accounts.id, main.accountId))
    expect((await main.call(monitorApi.setting, form({ email_confirm: 1 }))).code).toBe(200)
  })
  it('an equal setting is not written', async () => {
    const { call, accountId } = await createMainAccount()
    await call(monitorApi.setting, form({ router_online: 1 }))
    expect((await call(monitorApi.setting, form({ router_online: 1 }))).trips).toBe(1)
    expect(await selectAudits(accountId)).toHaveLength(1)
  })
})

describe('account 7 · monitor/enable, close', () => {
  it('starts and stops once each, with an audit row', async () => {
    const main = await createMainAccount()
    expect(await main.call(monitorApi.enable, {})).toMatchObject({ code: 200, msg: '启动成功', trips: 2 })
    expect((await main.call(monitorApi.enable, {})).trips).toBe(1)
    expect((await main.call(monitorApi.config, {})).data.enable).toBe(1)
    expect(await main.call(monitorApi.close, {})).toMatchObject({ code: 200, msg: '关闭成功', trips: 2 })
    expect((await selectAudits(main.accountId)).map(({ action }) => action)).toEqual(['enable', 'close'])
  })
  it.each([
    ['monitor:view', monitorApi.enable],
    ['monitor:edit', monitorApi.enable],
    ['monitor:create', monitorApi.close],
  ] as const)('%s alone is not enough for %o', async (flag, spec) => {
    const sub = await createSubAccount(await createMainAccount(), { flags: [flag] })
    expect(await sub.call(spec, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('account 6 · a role limited to networks', () => {
  async function createLimited() {
    const { main, routers } = await createFleet({ hardware: 4 })
    const [a, b, c, d] = routers
    const number = await createNetwork(main, [a!, b!])
    await createNetwork(main, [c!, d!])
    const limited = await createSubAccount(main, { flags: [...PERMISSIONS], networks: [number] })
    return { main, limited, number, own: [a!.name, b!.name], others: [c!.name, d!.name] }
  }
  it('chooses among its own members only, and leaves the others chosen', async () => {
    const { main, limited, own, others } = await createLimited()
    await main.call(monitorApi.setting, form({ router: [own[0], ...others] }))
    expect((await limited.call(monitorApi.config, {})).data.router.map((one) => one.router_name)).toEqual([own[0]])
    expect((await limited.call(monitorApi.setting, form({ router: [own[1]] }))).code).toBe(200)
    const chosen = (await main.call(monitorApi.config, {})).data.router.map((one) => one.router_name)
    expect(chosen.toSorted()).toEqual([own[1], ...others].toSorted())
    expect((await limited.call(monitorApi.routers, {})).data.map((one) => one.router_name)).toEqual(own)
  })
  it('a foreign member answers like an unknown one', async () => {
    const { main, limited, own, others } = await createLimited()
    await main.call(monitorApi.setting, form({ router: own }))
    for (const name of [others[0]!, 'nobody'])
      expect(await limited.call(monitorApi.setting, form({ router: [name] }))).toMatchObject(
        refusal('ROUTER_NOT_FOUND'),
      )
  })
  it.each([
    ['a switch', { router_online: 1 }],
    ['全部成员', { all_routers: 1, router: [] }],
    ['quiet hours', { quiet: { on: 1, start: 0, end: 60 } }],
    ['a severity', { rules: { flapping: { delay: 0, severity: 'critical' } } }],
  ])('may not change %s', async (_, over) => {
    const { main, limited, own } = await createLimited()
    await main.call(monitorApi.setting, form({ router: own }))
    expect(await limited.call(monitorApi.setting, form({ router: own, ...over }))).toMatchObject(
      refusal('MONITOR_LIMITED'),
    )
  })
  it('neither starts nor stops, nor mutes all; it mutes its own', async () => {
    const { limited, number, own, others } = await createLimited()
    for (const spec of [monitorApi.enable, monitorApi.close])
      expect(await limited.call(spec, {})).toMatchObject(refusal('MONITOR_LIMITED'))
    expect(await limited.call(monitorApi.mute, { kind: 'all', duration: 'day' })).toMatchObject(
      refusal('MONITOR_LIMITED'),
    )
    const muteRouter = (name: string) =>
      limited.call(monitorApi.mute, { kind: 'router', router_name: name, duration: 'day' })
    expect(await muteRouter(others[0]!)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await muteRouter(own[0]!)).toMatchObject({ code: 200, trips: 2 })
    const ofNetwork = { kind: 'network', network_number: number, duration: 'week' } as const
    expect((await limited.call(monitorApi.mute, ofNetwork)).code).toBe(200)
  })
  it('sees no mute of others, and ends none of them', async () => {
    const { main, limited, own, others } = await createLimited()
    await main.call(monitorApi.mute, { kind: 'router', router_name: others[0]!, duration: 'hour' })
    await main.call(monitorApi.mute, { kind: 'router', router_name: own[0]!, duration: 'hour' })
    expect((await limited.call(monitorApi.mutes, {})).data.map(({ target }) => target)).toEqual([own[0]])
    const [newest, oldest] = (await main.call(monitorApi.mutes, {})).data
    expect(await limited.call(monitorApi.unmute, { mute_id: oldest!.mute_id })).toMatchObject(refusal('MUTE_NOT_FOUND'))
    expect(await limited.call(monitorApi.unmute, { mute_id: newest!.mute_id })).toMatchObject({ code: 200, trips: 2 })
    expect((await main.call(monitorApi.mutes, {})).data).toHaveLength(1)
  })
  it('asks for records of its networks only', async () => {
    const { limited, number } = await createLimited()
    const fake = fakeHubs({ 'account.alerts': () => ({ rows: [], count: 0, open: 0 }) })
    const worker = createTestWorker({ hubs: fake.hubs })
    expect(await worker.call(monitorApi.alerts, { status: 'open' }, limited.token)).toMatchObject({
      code: 200,
      trips: 1,
    })
    expect(fake.calls[0]?.args).toMatchObject([{ networks: [number], status: 'open', page: 1, limit: 10 }])
  })
})

describe('account 2 · alerts that did not go out to a contact', () => {
  const unsent = [{ target: 'a@b.cn', count: 2, last_time: 5 }]
  it('are counted by the hub, of the networks of the role', async () => {
    const { main, routers } = await createFleet()
    const number = await createNetwork(main, [routers[0]!])
    const limited = await createSubAccount(main, { flags: ['monitor:view'], networks: [number] })
    const fake = fakeHubs({ 'account.alertUnsent': () => unsent })
    const worker = createTestWorker({ hubs: fake.hubs })
    expect(await worker.call(monitorApi.unsent, {}, main.token)).toMatchObject({ code: 200, trips: 1, data: unsent })
    await worker.call(monitorApi.unsent, {}, limited.token)
    expect(fake.calls.map(({ args }) => args)).toEqual([[null], [[number]]])
  })
  it('are listed by address', async () => {
    const main = await createMainAccount()
    const fake = fakeHubs({ 'account.alertDeliveries': () => ({ rows: [], count: 0, paused: 0 }) })
    const worker = createTestWorker({ hubs: fake.hubs })
    await worker.call(monitorApi.deliveries, { target: 'a@b.cn', state: 'unsent' }, main.token)
    expect(fake.calls[0]?.args).toMatchObject([{ target: 'a@b.cn', state: 'unsent', networks: null }])
  })
  it('are not for a role without monitor:view', async () => {
    const sub = await createSubAccount(await createMainAccount(), { flags: ['network:edit'] })
    expect(await sub.call(monitorApi.unsent, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('design 8 · monitor/acknowledge, resend: commands of the account’s hub', () => {
  const workerWith = (state: string) => {
    const fake = fakeHubs({ 'account.alertTask': () => state })
    return { fake, worker: createTestWorker({ hubs: fake.hubs }) }
  }
  it('stores the command with its audit row, and asks the hub to read it at once', async () => {
    const main = await createMainAccount()
    const { fake, worker } = workerWith('open')
    expect(await worker.call(monitorApi.acknowledge, { alert_id: 'a1' }, main.token)).toMatchObject({
      code: 200,
      msg: '已确认',
      trips: 2,
    })
    const commands = await db.select().from(alertCommands).where(eq(alertCommands.accountId, main.accountId))
    expect(commands).toMatchObject([{ kind: 'acknowledge', target: 'a1', actor: main.username }])
    expect(fake.calls.map(({ method }) => method)).toContain('refresh')
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ action: 'acknowledge', target: 'a1' })
  })
  it.each([
    ['unknown', 'ALERT_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
    ['over', 'ALERT_OVER', 'DELIVERY_OUTDATED'],
  ] as const)('%s is refused', async (state, ofAlert, ofDelivery) => {
    const main = await createMainAccount()
    const { worker } = workerWith(state)
    expect(await worker.call(monitorApi.acknowledge, { alert_id: 'a1' }, main.token)).toMatchObject(refusal(ofAlert))
    expect(await worker.call(monitorApi.resend, { delivery_id: 'd1' }, main.token)).toMatchObject(refusal(ofDelivery))
    expect(await selectAudits(main.accountId)).toEqual([])
  })
  it('a hub that does not answer is a failed list, not an empty one', async () => {
    const main = await createMainAccount()
    const fake = fakeHubs({
      'account.alerts': () => {
        throw new Error('Network connection lost.')
      },
    })
    const worker = createTestWorker({ hubs: fake.hubs })
    expect(await worker.call(monitorApi.alerts, {}, main.token)).toMatchObject(refusal('ALERTS_UNAVAILABLE'))
  })
})
