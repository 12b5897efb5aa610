import { desc, eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HUB_HOLD } from '#contract/kernel/hub-limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { reportMissing } from '#db/missing-rows.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { removedDevices } from '#db/schema/routers.ts'
import { hubHolds, hubOutbox, missingRows } from '#db/schema/service.ts'
import { logHubHold } from '#jobs/hubs.ts'
import { newHubName } from '#security/hub-name.ts'
import { createMainAccount, createRouter, unique } from '#tests/support/fixtures.ts'
import { call, db } from '#tests/support/test-worker.ts'

afterEach(async () => {
  await db.delete(hubHolds)
  await db.delete(missingRows)
  await db.delete(hubOutbox)
})

const lastAudit = async () => (await db.select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1))[0]
const report = (kind: 'router' | 'network' | 'account' | 'directory' | 'device', name: string, serial: string | null) =>
  reportMissing(db, { kind, name, serial }, { now: Date.now(), runId: 'r1' })

describe('design 8 · ops · missing rows', () => {
  it('the hold is switched on and off, with its begin and who did it, and audited', async () => {
    expect(await call(opsApi.holdStatus, {})).toMatchObject({
      code: 200,
      data: { since: null, changed_by: '', recent: 0, limit: HUB_HOLD.max, missing: { counts: [], rows: [] } },
    })
    const on = await call(opsApi.holdOn, {})
    expect(on).toMatchObject({ code: 200, data: { since: expect.any(Number), changed_by: 'operator' } })
    expect(await lastAudit()).toMatchObject({ accountId: 0, actorKind: 'operator', action: 'hubs/hold_on' })
    expect((await call(opsApi.holdOn, {})).data.since).toBe(on.data.since)
    expect((await call(opsApi.holdOff, {})).data).toMatchObject({ since: null })
    expect(await lastAudit()).toMatchObject({ accountId: 0, action: 'hubs/hold_off' })
    expect((await call(opsApi.holdOff, {})).data).toMatchObject({ since: null })
  })

  it('the status counts by kind, names those missing longest first, and leaves out whose row is back', async () => {
    const main = await createMainAccount()
    const back = await createRouter(main.accountId)
    const [hub, serial] = [newHubName('default'), unique('NL-')]
    await report('router', hub, serial)
    await report('router', back.hub, back.name)
    await report('network', newHubName('default'), null)
    await report('device', serial, serial)
    const { data } = await call(opsApi.holdStatus, {})
    expect(data.recent).toBe(4)
    expect(data.missing.counts).toEqual([
      { kind: 'device', count: 1 },
      { kind: 'network', count: 1 },
      { kind: 'router', count: 1 },
    ])
    expect(data.missing.rows.map(({ name }) => name)).toContain(hub)
    expect(data.missing.rows.map(({ name }) => name)).not.toContain(back.hub)
  })

  it('forget lists without a confirmation, and with one removes hubs and devices, audited with their number', async () => {
    const main = await createMainAccount()
    const back = await createRouter(main.accountId)
    const [router, network, account] = [newHubName('default'), newHubName('default'), newHubName('default')]
    const [ofHub, alone] = [unique('NL-'), unique('NL-')]
    await report('router', router, ofHub)
    await report('router', back.hub, back.name)
    await report('network', network, null)
    await report('account', account, null)
    await report('directory', newHubName('default'), null)
    await report('device', alone, alone)
    const listed = await call(opsApi.forgetHubs, { missing: 1 })
    expect(listed).toMatchObject({ code: 200, data: { forgotten: 0 } })
    expect(listed.data.counts.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1])
    expect(await db.select().from(hubOutbox)).toEqual([])

    expect(await call(opsApi.forgetHubs, { missing: 1, confirm: 1 })).toMatchObject({ data: { forgotten: 5 } })
    const removed = await db.select().from(removedDevices)
    expect(removed.map(({ serial }) => serial)).toEqual(expect.arrayContaining([ofHub, alone]))
    expect(removed.map(({ serial }) => serial)).not.toContain(back.name)
    const tasks = (await db.select().from(hubOutbox)).map(({ kind, hub, op }) => `${kind} ${hub} ${op}`)
    expect(tasks.toSorted()).toEqual(
      [`router ${router} remove`, `network ${network} remove`, `account ${account} remove`].toSorted(),
    )
    expect(await db.select().from(missingRows)).toMatchObject([{ name: back.hub }])
    const audit = await lastAudit()
    expect(audit).toMatchObject({ accountId: 0, action: 'hubs/forget' })
    expect(JSON.parse(audit?.after ?? '')).toEqual({ account: 1, device: 1, directory: 1, network: 1, router: 1 })
  })

  it('forget is refused unless it names missing rows', async () => {
    expect(await call(opsApi.forgetHubs, { confirm: 1 } as never)).toMatchObject({ code: 422 })
    expect(await call(opsApi.forgetHubs, { missing: 2, confirm: 1 } as never)).toMatchObject({ code: 422 })
  })
})

describe('design 8 · ops · hold', () => {
  it('is logged each minute that it is on', async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {})
    await logHubHold(db, 'run-1')
    expect(lines).not.toHaveBeenCalled()
    const { data } = await call(opsApi.holdOn, {})
    await logHubHold(db, 'run-1')
    const [line] = lines.mock.calls.map(([text]) => JSON.parse(String(text)) as unknown)
    expect(line).toEqual({ level: 'error', event: 'hub_hold', requestId: 'run-1', since: data.since })
    vi.restoreAllMocks()
  })
})

describe('design 9 · router · a deleted device', () => {
  it('has a row of its removal from the batch that deletes it', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId)
    expect(await call(routerApi.delete, { router_name: router.name }, main.token)).toMatchObject({ code: 200 })
    expect(await db.select().from(removedDevices).where(eq(removedDevices.serial, router.name))).toHaveLength(1)
  })
})
