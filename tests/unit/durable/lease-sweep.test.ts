import { describe, expect, it } from 'vitest'
import type { PresentRouter } from '#durable/account-hub/database.ts'
import { LeaseSweep } from '#durable/account-hub/lease-sweep.ts'
import { ALERT } from '#contract/monitor/alert.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { FakeStorage } from './fake-storage.ts'

const { consoleCheckMs, consoleCheckPage } = PRESENCE
const WITHIN_MS = 90_000
/** That a page of hubs takes to answer. */
const PAGE_MS = 1_000

/** An account with so many present routers, and a clock that moves from alarm to alarm. */
function createAccount(count: number) {
  let now = 1_000_000
  let isDown = false
  const rows: PresentRouter[] = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    hub: `hub ${i + 1}`,
    name: `r${i + 1}`,
    isPoint: i % 20 === 0 ? 0 : 1,
    isUnreadable: 0,
    total: count,
  }))
  const linked = new Set<string>()
  /** Times at which each hub was asked. */
  const asked = new Map<string, number[]>()
  const pages: number[] = []
  const deps = {
    storage: new FakeStorage() as never,
    read: async (afterId: number, limit: number) => {
      if (isDown) throw new Error('down')
      return rows.filter(({ id }) => id > afterId).slice(0, limit)
    },
    check: async (routers: readonly { readonly hub: string }[]) => {
      pages.push(routers.length)
      for (const { hub } of routers) asked.set(hub, [...(asked.get(hub) ?? []), now])
      now += PAGE_MS
    },
    linked: () => linked,
  }
  const createSweep = () => new LeaseSweep(deps)
  return {
    asked,
    pages,
    rows,
    linked,
    createSweep,
    setDown: (value: boolean) => (isDown = value),
    now: () => now,
    /** `isHibernating`: the hub wakes anew for each alarm. */
    run: async (forMs: number, isHibernating: boolean) => {
      let sweep = createSweep()
      for (const until = now + forMs; now < until; now = Math.max(now, sweep.dueAt(now, consoleCheckMs))) {
        if (isHibernating) sweep = createSweep()
        expect(sweep.begin(now, consoleCheckMs)).toBe(true)
        await sweep.run(now, consoleCheckMs, true).catch(() => {})
      }
    },
  }
}

describe('hubs.md, Disconnect · lease checks of an open console', () => {
  it.each([
    [1, false],
    [670, true],
    [2 * consoleCheckPage, false],
    [5_000, false],
    [5_000, true],
  ])(
    'each of %i routers is asked at least once in 90 s, a page at a time (hibernating: %s)',
    async (count, isHibernating) => {
      const account = createAccount(count)
      await account.run(10 * consoleCheckMs, isHibernating)
      expect(account.asked.size).toBe(count)
      const gaps = [...account.asked.values()].flatMap((times) => times.slice(1).map((at, i) => at - (times[i] ?? 0)))
      expect(Math.max(...gaps)).toBeLessThanOrEqual(WITHIN_MS)
      expect(Math.min(...gaps)).toBeGreaterThan(consoleCheckMs / 2)
      expect(Math.max(...account.pages)).toBeLessThanOrEqual(consoleCheckPage)
    },
  )

  it('that has begun is due no more, while its page is awaited, too', () => {
    const sweep = createAccount(1).createSweep()
    expect([sweep.begin(0, consoleCheckMs), sweep.begin(1, consoleCheckMs)]).toEqual([true, false])
    expect(sweep.dueAt(1, consoleCheckMs)).toBe(consoleCheckMs)
  })

  it('a page that could not be read is not tried again before the next check', async () => {
    const account = createAccount(10)
    account.setDown(true)
    const before = account.now()
    await account.run(1, false)
    expect(account.now() - before).toBe(consoleCheckMs)
  })
})

describe('hubs.md, Disconnect · lease checks while nobody looks', () => {
  it('begin with the first router that is present, and end once a check finds none', async () => {
    const account = createAccount(1)
    const sweep = account.createSweep()
    expect(sweep.hasPresent).toBe(false)
    sweep.notePresent()
    await sweep.run(0, PRESENCE.idleCheckMs, true)
    expect(account.createSweep().hasPresent).toBe(true)
    account.rows.pop()
    await sweep.run(PRESENCE.idleCheckMs, PRESENCE.idleCheckMs, true)
    expect(account.createSweep().hasPresent).toBe(false)
  })

  it('go on for a router that connected while a check found none', async () => {
    const account = createAccount(0)
    const sweep = account.createSweep()
    const running = sweep.run(0, PRESENCE.idleCheckMs, true)
    sweep.notePresent()
    await running
    expect(sweep.hasPresent).toBe(true)
  })
})

describe('hubs.md, Alerts · lease checks for alerts alone', () => {
  it('leave out points that a centre watches; centres and points without a link are asked', async () => {
    const account = createAccount(60)
    for (const { name } of account.rows) account.linked.add(name)
    account.linked.delete('r2')
    await account.createSweep().run(0, ALERT.sweepMs, false)
    account.asked.clear()
    await account.createSweep().run(ALERT.sweepMs, ALERT.sweepMs, false)
    expect([...account.asked.keys()]).toEqual(['hub 1', 'hub 2', 'hub 21', 'hub 41'])
  })

  it('leave out nobody every 15 minutes, also over several pages and by a hub that wakes for each', async () => {
    const account = createAccount(consoleCheckPage + 10)
    for (const { name } of account.rows) account.linked.add(name)
    const pageMs = ALERT.sweepMs / 2
    for (let now = 0; now <= 2 * PRESENCE.idleCheckMs; now += pageMs)
      await account.createSweep().run(now, ALERT.sweepMs, false)
    const centers = [consoleCheckPage / 20, 1]
    const rounds = [consoleCheckPage, 10, ...centers, ...centers]
    expect(account.pages).toEqual([...rounds, ...rounds, consoleCheckPage])
  })

  it('come soon after a router went, because nobody watches its peers now, and once a minute at most', async () => {
    const sweep = createAccount(1).createSweep()
    sweep.begin(0, ALERT.sweepMs)
    await sweep.run(0, ALERT.sweepMs, false)
    sweep.hasten(1_000)
    expect(sweep.dueAt(1_000, ALERT.sweepMs)).toBe(60_000)
    sweep.begin(60_000, ALERT.sweepMs)
    await sweep.run(60_000, ALERT.sweepMs, false)
    sweep.hasten(200_000)
    expect(sweep.dueAt(200_000, ALERT.sweepMs)).toBe(210_000)
  })
})
