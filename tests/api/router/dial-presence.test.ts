import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import { DIAL_SERVER_AWAY } from '#contract/kernel/states.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { routerStates } from '#db/schema/routers.ts'
import { activationHash, newActivationCode } from '#security/device-secrets.ts'
import { createFleet, createNetwork, unique } from '#tests/support/fixtures.ts'
import { insertDevice } from '#tests/support/rows.ts'
import { db, hubCalls } from '#tests/support/test-worker.ts'
import { open } from '../overview/evaluated-worker.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_RATE } from '#contract/router/limits.ts'
import { saveDials } from '#features/router/sql/dials.ts'

afterEach(() => void vi.useRealTimers())

/** A network of two centres and a software member, which dials the first. */
async function createDialled() {
  const { main, routers, apps } = await createFleet({ hardware: 2, centers: 1 })
  const [app] = apps
  const number = await createNetwork(main, [routers[0]!, routers[1]!, app!])
  const key = unique('d')
  const report = (endAt: number | null, server = routers[0]!) => {
    const dial = { key, number, name: app!.name, mode: 'p2p' as const, remote: '203.0.113.9', vpnIp: '100.64.0.9' }
    return saveDials(
      db,
      server.hub,
      [{ ...dial, startAt: Date.now() - 1, endAt, rx: 0, tx: 0, reason: '' }],
      9,
      Date.now(),
    )
  }
  return { main, routers, app: app!, number, report }
}
type Dialled = Awaited<ReturnType<typeof createDialled>>

/** The state of the member, the same wherever it is shown, and the states that are counted of software members. */
async function shownStates({ main, app, number }: Dialled) {
  const { data: overview } = await open(main)
  const list = await main.call(routerApi.lists, { type: 2 })
  const network = (await main.call(networkApi.info, { network_number: number })).data
  const row = list.data.find(({ router_name }) => router_name === app.name)
  const member = network.member.find(({ router_name }) => router_name === app.name)
  const options = (await main.call(routerApi.software, {})).data
  const { attention: _, config: __, single_center: ___, ...counted } = list.states
  expect(overview.members.software).toEqual(counted)
  expect(overview.networks[0]?.health.members[member!.presence.state]).toBeGreaterThan(0)
  expect(member?.presence).toEqual(row?.presence)
  expect(options.some(({ router_name }) => router_name === app.name)).toBe(true)
  expect(member?.online).toBe(member?.presence.state === 'online' ? 1 : 0)
  return {
    state: row?.presence.state,
    counted: (Object.keys(counted) as PresenceState[]).filter((s) => counted[s] > 0),
  }
}

describe('network 4 · a software member that dials', () => {
  it('is in the same state in overview, list and network, from its first dial to the end of the last', async () => {
    const dialled = await createDialled()
    expect(await shownStates(dialled)).toEqual({ state: 'never', counted: ['never'] })
    await dialled.report(null)
    expect(await shownStates(dialled)).toEqual({ state: 'online', counted: ['online'] })
    await dialled.report(Date.now())
    expect(await shownStates(dialled)).toEqual({ state: 'offline', counted: ['offline'] })
  })

  it('is 已停用 while it is disabled, whatever its dials do; its account’s hub is notified', async () => {
    const dialled = await createDialled()
    const { main, app, report } = dialled
    await report(null)
    const since = hubCalls.length
    const set = (status: 0 | 1) => main.call(routerApi.updateStatus, { router_name: app.name, status })
    expect(await set(0)).toMatchObject({ code: 200, trips: 2 })
    expect(hubCalls.slice(since)).toContainEqual(
      expect.objectContaining({ kind: 'account', method: 'refresh', hub: main.hub }),
    )
    await report(Date.now())
    expect(await shownStates(dialled)).toEqual({ state: 'disabled', counted: ['disabled'] })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ROUTER_RATE.windowMs })
    expect(await set(1)).toMatchObject({ code: 200 })
    expect(await shownStates(dialled)).toEqual({ state: 'offline', counted: ['offline'] })
  })

  it('is 离线 once its centre is deleted', async () => {
    const dialled = await createDialled()
    const { main, routers, app, number, report } = dialled
    await report(null, routers[1]!)
    const since = hubCalls.length
    expect(await main.call(routerApi.delete, { router_name: routers[1]!.name })).toMatchObject({ code: 200, trips: 2 })
    expect((await shownStates(dialled)).state).toBe('offline')
    const { data } = await main.call(networkApi.info, { network_number: number })
    const member = data.member.find(({ router_name }) => router_name === app.name)
    expect(member?.presence.reason).toBe(DIAL_SERVER_AWAY)
    expect(hubCalls.slice(since)).toContainEqual(
      expect.objectContaining({ kind: 'account', method: 'refresh', hub: main.hub }),
    )
  })

  it('is 离线 once the device of its centre is replaced', async () => {
    const dialled = await createDialled()
    const { main, routers, report } = dialled
    await report(null)
    const username = unique('NL-').toUpperCase()
    const code = newActivationCode()
    await insertDevice({ serial: username, activationHash: await activationHash(env.HMAC_SECRET, username, code) })
    const replacing = { router_name: routers[0]!.name, username, code }
    expect(await main.call(routerApi.replace, replacing)).toMatchObject({ code: 200, trips: 2 })
    expect((await shownStates(dialled)).state).toBe('offline')
  })

  it('leaves nothing when it is deleted but its records, also for a later member of its id', async () => {
    const { main, app, report } = await createDialled()
    await report(null)
    expect(await main.call(routerApi.delete, { router_name: app.name })).toMatchObject({ code: 200, trips: 2 })
    expect(await db.select().from(routerStates).where(eq(routerStates.routerId, app.id))).toEqual([])
    const records = await db.select().from(dialLogs).where(eq(dialLogs.accountId, main.accountId))
    expect(records).toMatchObject([{ routerName: app.name, routerId: null, endAt: null }])
    expect((await report(Date.now())).notices).toEqual([])
    expect(await db.select().from(routerStates).where(eq(routerStates.routerId, app.id))).toEqual([])
  })
})
