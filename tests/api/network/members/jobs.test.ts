import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { JOB } from '#contract/network/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ROUTER_RATE } from '#contract/router/limits.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networks, networkJobs } from '#db/schema/networks.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createNetwork,
  createSubAccount,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function createJobNetwork() {
  const { main, routers: hardware, apps } = await createFleet()
  const [center, point] = hardware
  const network_number = await createNetwork(main, [center!, point!, apps[0]!])
  return { main, center: center!, point: point!, app: apps[0]!, network_number, since: hubCalls.length }
}
const rowsOf = (accountId: number) => db.select().from(networkJobs).where(eq(networkJobs.accountId, accountId))

describe('network 7 · network/kill_user', () => {
  it('asks the devices that the member dials, and says how far they have got', async () => {
    const { main, center, point, network_number, since } = await createJobNetwork()
    const input = { network_number, router_name: point.name.toLowerCase() }
    const accepted = await main.call(networkApi.killUser, input)
    expect(accepted).toMatchObject({ code: 200, msg: '已受理', trips: 2 })
    const job = { network_number, job_id: accepted.data.job_id }
    expect(refreshed(since)).toEqual(toHubs(center))
    expect(await rowsOf(main.accountId)).toMatchObject([
      { kind: 'kill_user', routerId: center.id, params: JSON.stringify({ network_number, name: point.name }) },
    ])
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'kill_user',
      target: network_number,
      message: `组网“测试网”的成员“${point.name}”断开连接`,
    })
    const queued = { router_name: center.name, router_name_note: '', state: 'queued', reason: '', data: null }
    expect(await main.call(networkApi.job, job)).toMatchObject({
      code: 200,
      trips: 1,
      data: { kind: 'kill_user', state: 'queued', devices: [queued] },
    })
    await db.insert(routerStates).values({ routerId: center.id, presence: 'online' })
    expect(await main.call(networkApi.job, job)).toMatchObject({ data: { state: 'accepted' } })
    const failed = { state: 'failed', reason: '该成员当前没有连接' } as const
    await db.update(networkJobs).set(failed).where(eq(networkJobs.accountId, main.accountId))
    expect(await main.call(networkApi.job, job)).toMatchObject({ data: { state: 'failed', devices: [failed] } })
  })

  it('ends the sessions of a software member, too; a member that dials nobody has none', async () => {
    const { main, center, app, network_number, since } = await createJobNetwork()
    expect(await main.call(networkApi.killUser, { network_number, router_name: app.name })).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual(toHubs(center))
    expect(await main.call(networkApi.killUser, { network_number, router_name: center.name })).toMatchObject(
      refusal('JOB_NO_SESSION', { name: center.name }),
    )
    expect(await main.call(networkApi.killUser, { network_number, router_name: 'nobody' })).toMatchObject(
      refusal('MEMBER_NOT_IN_NETWORK'),
    )
  })

  it('reaches the centres and the nodes of the member’s areas, each named, a node by its area', async () => {
    const { main, center, point, network_number, since } = await createJobNetwork()
    const pops = [await createPop(), await createPop()]
    await db.update(routers).set({ note: '机柜7' }).where(eq(routers.id, pops[0]!.node.id))
    const number = await createTicket(main, network_number, pops, { [pops[0]!.id]: [point.name] })
    await call(opsApi.startNetworkTicket, { number })
    expect(await call(opsApi.completeNetworkTicket, { number })).toMatchObject({ code: 200 })
    const before = hubCalls.length
    const accepted = await main.call(networkApi.killUser, { network_number, router_name: point.name })
    expect(accepted).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(before)).toEqual(toHubs(center, pops[0]!.node))
    expect(refreshed(since).length).toBeGreaterThan(2)
    const { data } = await main.call(networkApi.job, { network_number, job_id: accepted.data.job_id })
    expect(data.devices).toEqual([
      { router_name: center.name, router_name_note: '', state: 'queued', reason: '', data: null },
      { router_name: pops[0]!.node.name, router_name_note: pops[0]!.name, state: 'queued', reason: '', data: null },
    ])
    expect(JSON.stringify(data)).not.toContain('机柜7')
  })

  it('a place where the member has no connection is done, and says so', async () => {
    const { main, point, network_number } = await createJobNetwork()
    const accepted = await main.call(networkApi.killUser, { network_number, router_name: point.name })
    const none = { state: 'done', reason: '该成员当前没有连接' } as const
    await db.update(networkJobs).set(none).where(eq(networkJobs.accountId, main.accountId))
    const job = { network_number, job_id: accepted.data.job_id }
    expect(await main.call(networkApi.job, job)).toMatchObject({ data: { state: 'done', devices: [none] } })
  })

  it('is refused at once where a device does not support it, and in a suspended network', async () => {
    const { main, center, point, network_number, since } = await createJobNetwork()
    const input = { network_number, router_name: point.name }
    const missing = () => ({ [center.hub]: ['job:kill_user'] })
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.missingSettings': missing }).hubs })
    expect(await worker.call(networkApi.killUser, input, main.token)).toMatchObject({
      ...refusal('JOB_UNSUPPORTED', { devices: center.name }),
      trips: 1,
    })
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, network_number))
    expect(await main.call(networkApi.killUser, input)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect([await rowsOf(main.accountId), refreshed(since)]).toEqual([[], []])
  })

  it('has the data of each device, null without any', async () => {
    const { main, point, network_number } = await createJobNetwork()
    const accepted = await main.call(networkApi.killUser, { network_number, router_name: point.name })
    const job = { network_number, job_id: accepted.data.job_id }
    for (const data of [null, { sessions: 2 }, '文字', false]) {
      await db
        .update(networkJobs)
        .set({ state: 'done', data: data === null ? null : JSON.stringify(data) })
        .where(eq(networkJobs.accountId, main.accountId))
      expect(await main.call(networkApi.job, job)).toMatchObject({ data: { devices: [{ data }] }, trips: 1 })
    }
  })

  it('is the same job while an equal one waits, and another for another member or after an answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { main, center, point, app, network_number } = await createJobNetwork()
    const kill = async ({ name }: { readonly name: string }) => {
      vi.setSystemTime(Date.now() + ROUTER_RATE.windowMs)
      const since = hubCalls.length
      const reply = await main.call(networkApi.killUser, { network_number, router_name: name })
      expect([reply.code, reply.trips, refreshed(since)]).toEqual([200, 2, toHubs(center)])
      return reply.data.job_id
    }
    const first = await kill(point)
    const other = await kill(app)
    expect(other).not.toBe(first)
    expect(await kill(point)).toBe(first)
    expect(await rowsOf(main.accountId)).toHaveLength(2)
    await db.update(networkJobs).set({ state: 'done' }).where(eq(networkJobs.jobId, first))
    const second = await kill(point)
    expect(second).not.toBe(first)
    await db.update(networkJobs).set({ expiresAt: Date.now() }).where(eq(networkJobs.jobId, second))
    expect(await kill(point)).not.toBe(second)
    expect(await rowsOf(main.accountId)).toHaveLength(4)
  })

  it('once in 5 s a member; results of a week ago go', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { main, point, app, network_number } = await createJobNetwork()
    const kill = (router_name: string) => main.call(networkApi.killUser, { network_number, router_name })
    const first = await kill(point.name)
    expect(await kill(point.name)).toMatchObject({ code: 429 })
    expect(await kill(app.name)).toMatchObject({ code: 200 })
    vi.setSystemTime(Date.now() + ROUTER_RATE.windowMs)
    expect(await kill(point.name)).toMatchObject({ code: 200 })
    await db
      .update(networkJobs)
      .set({ createdAt: Date.now() - JOB.keptMs - 1 })
      .where(eq(networkJobs.accountId, main.accountId))
    vi.setSystemTime(Date.now() + ROUTER_RATE.windowMs)
    expect(await kill(app.name)).toMatchObject({ code: 200 })
    expect(await rowsOf(main.accountId)).toHaveLength(1)
    const gone = { network_number, job_id: first.data.job_id }
    expect(await main.call(networkApi.job, gone)).toMatchObject(refusal('JOB_NOT_FOUND'))
  })
})

describe('network 7 · network/reset_respawn', () => {
  it('asks the device itself; hardware only', async () => {
    const { main, point, app, network_number, since } = await createJobNetwork()
    expect(await main.call(networkApi.resetRespawn, { network_number, router_name: point.name })).toMatchObject({
      code: 200,
      trips: 2,
    })
    expect(refreshed(since)).toEqual(toHubs(point))
    expect(await main.call(networkApi.resetRespawn, { network_number, router_name: app.name })).toMatchObject(
      refusal('HARDWARE_ONLY'),
    )
  })
})

describe('network 7 · network/re_send_config', () => {
  it('of one member is a job whose result is the state of its configuration', async () => {
    const { main, point, network_number, since } = await createJobNetwork()
    const sent = await main.call(networkApi.reSendConfig, { network_number, router_name: point.name })
    expect(sent).toMatchObject({ code: 200, msg: '已重新下发', trips: 2 })
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'router', hub: point.hub, method: 'resend' }])
    const job = { network_number, job_id: sent.data!.job_id }
    expect(await main.call(networkApi.job, job)).toMatchObject({ data: { kind: 'resend', state: 'queued' } })
    await db.insert(routerStates).values({
      routerId: point.id,
      presence: 'online',
      configState: 'failed',
      configReason: '配置校验失败',
      configAt: Date.now() + 1,
    })
    expect(await main.call(networkApi.job, job)).toMatchObject({
      data: { state: 'failed', devices: [{ router_name: point.name, reason: '配置校验失败' }] },
    })
  })

  it('of all members is none', async () => {
    const { main, network_number } = await createJobNetwork()
    expect(await main.call(networkApi.reSendConfig, { network_number })).toMatchObject({ code: 200, data: null })
  })
})

describe('network 6 · jobs of a network that the role does not cover', () => {
  it('are neither started nor shown', async () => {
    const { main, point, network_number } = await createJobNetwork()
    const accepted = await main.call(networkApi.killUser, { network_number, router_name: point.name })
    const sub = await createSubAccount(main, { flags: ['network:edit'], networks: ['other'] })
    const job = { network_number, job_id: accepted.data.job_id }
    expect(await sub.call(networkApi.job, job)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await sub.call(networkApi.resetRespawn, { network_number, router_name: point.name })).toMatchObject(
      refusal('NETWORK_NOT_FOUND'),
    )
    const viewer = await createSubAccount(main)
    expect(await viewer.call(networkApi.job, job)).toMatchObject({ code: 200 })
    expect(await viewer.call(networkApi.killUser, { network_number, router_name: point.name })).toMatchObject(
      refusal('PERMISSION_DENIED'),
    )
  })
})
