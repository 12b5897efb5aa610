import { afterEach, describe, expect, it, vi } from 'vitest'
import { DatabaseRetries } from '#durable/account-hub/database-retries.ts'
import { FakeStorage } from './fake-storage.ts'

const HUBS = 200
/** Rates of the outage, written down apart from its limits: a probe each 5 s, then 50 hubs a second. */
const PROBE_MS = 5_000
const PER_SECOND = 50
const T0 = 1_800_000_000_000

afterEach(() => void vi.useRealTimers())

/** An account of so many hubs that wait, its alarm, and the times of their tries. */
function createAccount(retry: (hub: string, now: number) => boolean | 'silent') {
  vi.useFakeTimers({ now: T0 })
  const tries: { readonly hub: string; readonly at: number }[] = []
  const sql = new FakeStorage().sql as unknown as SqlStorage
  const retries = new DatabaseRetries({
    sql,
    onChanged: () => {},
    retry: async ({ hub }) => {
      tries.push({ hub, at: Date.now() - T0 })
      const answer = retry(hub, Date.now() - T0)
      if (answer === 'silent') throw new Error('away')
      return answer
    },
  })
  for (let n = 0; n < HUBS; n++) retries.add({ kind: 'router', hub: `h${n}` }, T0)
  return {
    tries,
    retries,
    async pass(ms: number) {
      for (const end = Date.now() + ms; Date.now() < end;) {
        if ((retries.dueAt() ?? Infinity) <= Date.now()) void retries.run(Date.now())
        await vi.advanceTimersByTimeAsync(10)
      }
    },
  }
}

describe('hubs that wait for the database', () => {
  it('are asked one each five seconds while it is away, then all at 50 a second: 200 within ten seconds', async () => {
    const backAt = 60_000
    const account = createAccount((_, now) => now >= backAt)
    await account.pass(backAt)
    const during = account.tries.map(({ at }) => at)
    expect(during).toHaveLength(Math.floor((backAt - 10) / PROBE_MS))
    expect(Math.min(...during.map((at, n) => at - (during[n - 1] ?? 0)))).toBeGreaterThanOrEqual(PROBE_MS)
    await account.pass(10_000)
    const after = account.tries.filter(({ at }) => at >= backAt)
    expect(new Set(after.map(({ hub }) => hub)).size).toBe(HUBS)
    expect(account.retries.dueAt()).toBeNull()
    const inSecond = after.map(({ at }) => after.filter((other) => other.at >= at && other.at < at + 1_000).length)
    expect(Math.max(...inSecond)).toBeLessThanOrEqual(PER_SECOND + 1)
  })

  it('stop when it goes away again, and one asks again five seconds later', async () => {
    let left = 20
    const account = createAccount(() => left-- > 0)
    await account.pass(PROBE_MS + 4_900)
    expect(account.tries).toHaveLength(21)
    left = HUBS
    await account.pass(10_000)
    expect(account.retries.dueAt()).toBeNull()
  })

  it('set no alarm while there are none', async () => {
    const onChanged = vi.fn<() => void>()
    const sql = new FakeStorage().sql as unknown as SqlStorage
    await new DatabaseRetries({ sql, onChanged, retry: async () => true }).run(T0)
    expect(onChanged).not.toHaveBeenCalled()
  })

  it('do not wait for one that does not answer: it is left to its own back-off', async () => {
    const account = createAccount((hub) => (hub === 'h0' || hub === 'h7' ? 'silent' : true))
    await account.pass(10_000)
    expect(account.retries.dueAt()).toBeNull()
    expect(account.tries).toHaveLength(HUBS)
  })
})
