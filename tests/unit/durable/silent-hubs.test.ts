import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SilentRouter } from '#durable/account-hub/database.ts'
import { SilentHubs } from '#durable/account-hub/silent-hubs.ts'
import { FakeStorage } from './fake-storage.ts'

const HUB = 'default.silent'
const SECOND = 1_000

let lines: { readonly event: string; readonly hub: string }[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
})
afterEach(() => void vi.restoreAllMocks())

/** An account whose one hub answers no check, and the times at which its router was shown as unreadable. */
function createAccount() {
  const storage = new FakeStorage()
  const shown: number[] = []
  const create = (release?: string) => {
    let at = 0
    const hubs = new SilentHubs({
      storage: storage as never,
      release,
      check: async () => {
        throw new Error('internal error')
      },
      mark: async (marked) => marked.map((hub) => ({ hub }) as SilentRouter),
      show: async () => void shown.push(at),
      onChanged: () => {},
    })
    return {
      fail: async (now: number) => {
        at = now
        if (hubs.has(HUB)) await hubs.run(now)
        else hubs.suspect([HUB], now)
      },
    }
  }
  return { shown, create }
}

describe('hubs.md, Silent hubs · failed checks', () => {
  it.each([
    ['two checks, however far apart', [0, 600], []],
    ['three checks within 75 s', [0, 30, 74], []],
    ['three checks over 75 s', [0, 30, 75], [75]],
    ['a third one late', [0, 600, 660], [660]],
    ['one more after it', [0, 60, 120, 180], [120]],
  ])('%s', async (_, seconds, expected) => {
    const account = createAccount()
    const hubs = account.create()
    for (const at of seconds) await hubs.fail(at * SECOND)
    expect(account.shown.slice(0, 1).map((ms) => ms / SECOND)).toEqual(expected)
  })

  it('leave the operator one line, with the error, when the router becomes unreadable', async () => {
    const hubs = createAccount().create()
    await hubs.fail(0)
    await hubs.fail(60 * SECOND)
    expect(lines).toEqual([])
    for (const at of [120, 180, 240]) await hubs.fail(at * SECOND)
    expect(lines).toEqual([
      { level: 'warn', event: 'unreadable', hub: HUB, since: 0, checks: 3, error: 'internal error' },
    ])
  })

  it('start over with a new release, whose start resets every hub, but not with a wake-up in the same one', async () => {
    const account = createAccount()
    const first = account.create('r1')
    for (const at of [0, 40]) await first.fail(at * SECOND)
    const second = account.create('r2')
    for (const at of [80, 120]) await second.fail(at * SECOND)
    expect(account.shown).toEqual([])
    await account.create('r2').fail(160 * SECOND)
    expect(account.shown).toEqual([160 * SECOND])
  })
})
