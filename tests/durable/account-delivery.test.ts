import { describe, expect, it, vi } from 'vitest'
import { inArray } from 'drizzle-orm'
import { RouterHub } from '#durable/router-hub/router-hub.ts'
import { insertOutboxEntries } from '#db/hub-outbox.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { newHubName } from '#security/hub-name.ts'
import { randomHex } from '#security/secrets.ts'
import { db } from '#tests/support/test-worker.ts'
import { accountStub, createAccount, until } from './support.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { holdTimers } from './clock.ts'

const hubs = Array.from({ length: 40 }, () => newHubName('default'))

/** Entries of one write that concerns them all, stored. */
async function write() {
  const entries = hubs.map((hub) => ({ id: randomHex(16), kind: 'router', hub, op: 'refresh' }) as const)
  await insertOutboxEntries(db, entries, Date.now())
  return entries
}
const undelivered = () => db.select().from(hubOutbox).where(inArray(hubOutbox.hub, hubs))
const isDelivered = async () => ((await undelivered()).length === 0 ? true : undefined)

describe('hubs.md, Hub outbox · an account’s hub', () => {
  it('calls each hub once for all writes that wait for it, and leaves no row', async () => {
    const timers = holdTimers(HUB_OUTBOX.callGapMs)
    const called: string[] = []
    vi.spyOn(RouterHub.prototype, 'refresh').mockImplementation(async function (this: RouterHub) {
      called.push(this['hub'])
    })
    const account = accountStub(await createAccount())
    for (let n = 0; n < 10; n++) await account.deliver(await write())
    await until(() => {
      timers.release()
      return isDelivered()
    })
    const own = called.filter((hub) => hubs.includes(hub)) // a hub of an earlier file may still be called
    // The first write, the nine that came meanwhile, and the hub within whose entries a portion ends.
    expect(own.length).toBeLessThanOrEqual(2 * hubs.length + 1)
  })

  it('leaves what fails to the cron, and delivers what comes later', async () => {
    const refresh = vi.spyOn(RouterHub.prototype, 'refresh').mockRejectedValue(new Error('away'))
    const account = accountStub(await createAccount())
    await account.deliver(await write())
    await until(async () => ((await undelivered()).every(({ tries }) => tries === 1) ? true : undefined))
    refresh.mockImplementation(async () => {})
    await db.delete(hubOutbox).where(inArray(hubOutbox.hub, hubs))
    await account.deliver(await write())
    expect(await until(isDelivered)).toBe(true)
  })
})
