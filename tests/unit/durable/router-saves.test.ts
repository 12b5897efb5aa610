import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ROUTER_SAVES } from '#contract/kernel/hub-limits.ts'
import type { RouterSave } from '#contract/router/saves.ts'
import { DatabaseAway } from '#db/driver.ts'
import { RouterSaves } from '#durable/account-hub/router-saves.ts'
import { toRouterSave } from '#durable/router-hub/router-save.ts'
import { blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'

const T0 = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: T0 })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const save = (name: string, over: Partial<RouterSave> = {}): RouterSave => ({
  ...toRouterSave(name, { ...blankRouter, router: { ...unknownRouter, routerName: name } }, T0),
  ...over,
})

/** An account's hub with a database that answers after so long, and what has reached it. */
function createSaves(answer: (names: readonly string[]) => void = () => {}, answerMs = 0) {
  const batches: (readonly RouterSave[])[] = []
  const left: string[] = []
  const saves = new RouterSaves({
    hub: 'default.account',
    write: async (rows) => {
      batches.push(rows)
      if (answerMs > 0) await new Promise((done) => setTimeout(done, answerMs))
      const names = rows.map(({ hub }) => hub)
      answer(names)
      return { saved: new Set(names.filter((name) => name !== 'gone')), entries: [] }
    },
    deliver: () => {},
    leave: (hub) => void left.push(hub),
    waitUntil: () => {},
  })
  return { saves, left, batches, names: () => batches.map((rows) => rows.map(({ hub }) => hub)) }
}

describe('hubs.md, State outbox · saves that an account’s hub gathers', () => {
  it('are written at once the first time, then together each second, 50 in a batch', async () => {
    const { saves, names } = createSaves()
    const answers = Array.from({ length: 100 }, (_, n) => saves.save(save(`r${n}`)))
    await vi.advanceTimersByTimeAsync(ROUTER_SAVES.everyMs - 1)
    expect(names()).toEqual([['r0']])
    await vi.advanceTimersByTimeAsync(1)
    expect(names().map(({ length }) => length)).toEqual([1, 50, 49])
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'saved'))
  })

  it('answer each router: a missing row is no fault of the others', async () => {
    const { saves } = createSaves()
    const answers = ['first', 'gone', 'third'].map((name) => saves.save(save(name)))
    await vi.advanceTimersByTimeAsync(ROUTER_SAVES.everyMs)
    expect(await Promise.all(answers)).toEqual(['saved', 'missing', 'saved'])
  })

  it('are those of the newest call of a router, and follow an older one that is being written', async () => {
    const { saves, batches } = createSaves(() => {}, 3_000)
    const versions = (n: number) => save('r1', { state: { ...save('r1').state, configVersion: n } })
    const answers = [1, 2, 3].map((n) => saves.save(versions(n)))
    await vi.advanceTimersByTimeAsync(2_500)
    expect(batches.map((rows) => rows.map(({ state }) => state['configVersion']))).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(4_000)
    expect(batches.map((rows) => rows.map(({ state }) => state['configVersion']))).toEqual([[1], [3]])
    expect(await Promise.all(answers)).toEqual(['saved', 'saved', 'saved'])
  })

  it('are left for later with the first batch that finds the database away: the others are not tried', async () => {
    const { saves, names, left } = createSaves(() => {
      throw new DatabaseAway(new Error('D1_ERROR: overloaded'))
    })
    const answers = Array.from({ length: 120 }, (_, n) => saves.save(save(`r${n}`)))
    await vi.advanceTimersByTimeAsync(ROUTER_SAVES.everyMs)
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'left'))
    expect([names().map(({ length }) => length), new Set(left).size]).toEqual([[1, 50], 120])
  })

  it('are given back after a fault of one of them, so that each router saves alone', async () => {
    const { saves } = createSaves((names) => {
      if (names.includes('bad')) throw new Error('D1_ERROR: CHECK constraint failed')
    })
    const answers = ['first', 'good', 'bad'].map((name) => saves.save(save(name)))
    await vi.advanceTimersByTimeAsync(ROUTER_SAVES.everyMs)
    expect(await Promise.all(answers)).toEqual(['saved', 'alone', 'alone'])
  })

  it('are not taken from a hub of another release, whose rows have other columns', async () => {
    const { saves, names } = createSaves()
    const { mac: _, ...fewer } = save('r1').state
    const others = [fewer, { ...save('r1').state, added: 1 }]
    for (const state of others) expect(await saves.save(save('r1', { state }))).toBe('alone')
    expect(names()).toEqual([])
  })

  it('are in one batch only as far as one value of the database can hold them', async () => {
    const { saves, names } = createSaves()
    const large = (name: string, chars: number) => save(name, { routerName: '路'.repeat(chars) })
    const { charsMax } = ROUTER_SAVES
    const sizes = { first: 1, huge: 2 * charsMax, half: charsMax / 2, third: charsMax / 3, other: charsMax / 3 }
    for (const [name, chars] of Object.entries(sizes)) void saves.save(large(name, Math.floor(chars)))
    await vi.advanceTimersByTimeAsync(ROUTER_SAVES.everyMs)
    expect(names()).toEqual([['first'], ['huge'], ['half', 'third'], ['other']])
  })
})
