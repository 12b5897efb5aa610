import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withRequestId } from '#durable/fault-log.ts'
import { PendingRead, isReadDue, neverRead, onRequested, onStarted } from '#durable/pending-read.ts'
import { HUB_READ } from '#contract/kernel/hub-limits.ts'

const T0 = 1_800_000_000_000
const { everyMs, retryMs } = HUB_READ

describe('times of reads', () => {
  it('a request is due at once when no read started within the last second', () => {
    expect(onRequested(neverRead, T0).dueAt).toBe(T0)
    expect(onRequested({ startedAt: T0, dueAt: null }, T0 + everyMs).dueAt).toBe(T0 + everyMs)
    expect(onRequested({ startedAt: T0 + 60_000, dueAt: null }, T0).dueAt).toBe(T0) // the clock was set back
  })

  it('requests within a second of the newest read are due together at its end', () => {
    let times = { ...onStarted(T0), dueAt: null } as ReturnType<typeof onStarted>
    for (const ms of [0, 1, 500, 999]) times = onRequested(times, T0 + ms)
    expect(times.dueAt).toBe(T0 + everyMs)
    expect([isReadDue(times, T0 + everyMs - 1), isReadDue(times, T0 + everyMs)]).toEqual([false, true])
  })

  it('a request brings a retry forward, and a read that starts covers both', () => {
    const failed = onStarted(T0)
    expect(failed.dueAt).toBe(T0 + retryMs)
    const asked = onRequested(failed, T0 + 10_000)
    expect(asked.dueAt).toBe(T0 + 10_000)
    expect(onStarted(T0 + 10_000).dueAt).toBe(T0 + 10_000 + retryMs)
  })
})

interface StartedRead {
  readonly startedAt: number
  done(): void
  fail(error: Error): void
}

/** Storage that outlives an eviction, and reads that the test ends. */
function createHub() {
  const values = new Map<string, unknown>()
  let alarm: number | null = null
  const puts: string[] = []
  const kv = {
    get: (key: string) => values.get(key),
    put: (key: string, value: unknown) => {
      puts.push(key)
      values.set(key, value)
    },
    delete: (key: string) => values.delete(key),
  }
  const setAlarm = async (at: number) => {
    alarm = at
  }
  const ctx = {
    id: { name: 'default.00' },
    storage: { kv, getAlarm: async () => alarm, setAlarm },
  } as unknown as DurableObjectState
  const reads: StartedRead[] = []
  const wake = (): PendingRead => {
    const reading: PendingRead = new PendingRead(ctx, async () => {
      await new Promise<void>((done, fail) => reads.push({ startedAt: Date.now(), done, fail }))
      reading.done()
    })
    return reading
  }
  /** As the platform does when the time has come. */
  const fireAlarm = (reading: PendingRead): Promise<void> => {
    if (alarm === null || alarm > Date.now()) throw new Error('no alarm is due')
    alarm = null
    return reading.runIfDue()
  }
  return { wake, reads, puts, fireAlarm, alarmAt: () => alarm }
}

const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('reads of a hub', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: T0 }))
  afterEach(() => void vi.useRealTimers())

  /** A hub whose first read has just succeeded. */
  async function createReadHub() {
    const hub = createHub()
    const reading = hub.wake()
    const first = reading.request()
    await turns()
    hub.reads[0]?.done()
    await first
    return { ...hub, reading }
  }

  it('the first request is answered by its read; fifty more within the second by one read at its end', async () => {
    const { reading, reads, puts, fireAlarm, alarmAt } = await createReadHub()
    expect([reads.length, reading.dueAt()]).toEqual([1, null])
    puts.length = 0
    for (let n = 0; n < 50; n++) {
      vi.setSystemTime(T0 + n * 10)
      await reading.request()
    }
    expect([reads.length, reading.dueAt(), alarmAt()]).toEqual([1, T0 + everyMs, T0 + everyMs])
    expect(puts).toEqual(['pending']) // one row for all of them
    vi.setSystemTime(T0 + everyMs)
    const alarm = fireAlarm(reading)
    await turns()
    reads[1]?.done()
    await alarm
    expect([reads.length, reading.dueAt()]).toEqual([2, null])
  })

  it('a request that was put off survives an eviction', async () => {
    const { reading, wake, reads, fireAlarm } = await createReadHub()
    vi.setSystemTime(T0 + 300)
    await reading.request()
    const woken = wake()
    expect(woken.dueAt()).not.toBeNull()
    vi.setSystemTime(T0 + everyMs)
    const alarm = fireAlarm(woken)
    await turns()
    reads[1]?.done()
    await alarm
    expect(woken.dueAt()).toBeNull()
  })

  it('a request during a read is answered by another that starts after it', async () => {
    const { wake, reads, fireAlarm } = createHub()
    const reading = wake()
    const first = reading.request()
    await turns()
    vi.setSystemTime(T0 + 200)
    await reading.request()
    reads[0]?.done()
    await first
    expect(reading.dueAt()).toBe(T0 + everyMs)
    vi.setSystemTime(T0 + everyMs)
    const alarm = fireAlarm(reading)
    await turns()
    expect(reads.map(({ startedAt }) => startedAt)).toEqual([T0, T0 + everyMs])
    reads[1]?.done()
    await alarm
    expect(reading.dueAt()).toBeNull()
  })

  it('requests of one turn share one read', async () => {
    const { wake, reads } = createHub()
    const reading = wake()
    const requests = Promise.all([reading.request(), reading.request(), reading.request()])
    await turns()
    expect(reads).toHaveLength(1)
    reads[0]?.done()
    await requests
    expect(reading.dueAt()).toBeNull()
  })

  it('a caller that needs the rows now does not wait', async () => {
    const { reading, reads } = await createReadHub()
    const now = reading.readNow()
    await turns()
    expect(reads).toHaveLength(2)
    reads[1]?.done()
    await now
    expect(reading.dueAt()).toBeNull()
  })

  it('a read that fails rejects its request, and remains due for the alarm', async () => {
    for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    const { wake, reads, fireAlarm, alarmAt } = createHub()
    const reading = wake()
    const request = reading.request()
    request.catch(() => {}) // awaited below
    await turns()
    reads[0]?.fail(new Error('overloaded'))
    await expect(request).rejects.toThrow('overloaded')
    expect([reading.dueAt(), alarmAt()]).toEqual([T0 + retryMs, T0 + retryMs])
    vi.setSystemTime(T0 + retryMs)
    const alarm = fireAlarm(reading)
    await turns()
    reads[1]?.done()
    await alarm
    expect(reading.dueAt()).toBeNull()
    vi.restoreAllMocks()
  })

  it('logs a read that fails again and again once, another fault, and the recovery, also when it was evicted', async () => {
    const lines: string[] = []
    for (const level of ['info', 'warn'] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line))
    const { wake, reads } = createHub()
    const readWith = async (fault: string | null): Promise<void> => {
      const read = wake().readNow()
      await turns()
      if (fault === null) reads.at(-1)?.done()
      else reads.at(-1)?.fail(new Error(fault))
      await read
    }
    const first = 'D1_ERROR: internal error; reference = a1'
    await expect(withRequestId('request-1', () => readWith(first))).rejects.toThrow('internal error')
    for (const fault of [first, 'D1_ERROR: internal error; reference = b2', 'overloaded', 'overloaded'])
      await expect(readWith(fault)).rejects.toThrow(fault)
    await readWith(null)
    await readWith(null)
    vi.restoreAllMocks()
    const hub = 'default.00'
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 'warn', event: 'read', hub, requestId: 'request-1', error: first },
      { level: 'warn', event: 'read', hub, error: 'overloaded' },
      { level: 'info', event: 'read_recovered', hub, since: expect.any(Number) as number },
    ])
  })

  it('under any order of requests, results, evictions and alarms every request is covered by a later read', async () => {
    for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
    const action = fc.constantFrom('request', 'request', 'now', 'succeed', 'fail', 'evict', 'wait')
    const check = fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (script) => {
      vi.setSystemTime(T0)
      const { wake, reads, fireAlarm, alarmAt } = createHub()
      let reading = wake()
      let requestedAt = 0
      let ended = 0
      const end = async (how: 'done' | 'fail'): Promise<void> => {
        while (ended < reads.length) {
          const read = reads[ended++]
          if (how === 'done') read?.done()
          else read?.fail(new Error('away'))
          await turns()
        }
      }
      const ask = (request: () => Promise<void>) => {
        requestedAt = Date.now()
        void request().catch(() => {})
      }
      const run = {
        request: () => ask(() => reading.request()),
        now: () => ask(() => reading.readNow()),
        succeed: () => end('done'),
        fail: () => end('fail'),
        evict: () => {
          ended = reads.length // what was running is gone
          reading = wake()
        },
        wait: () => void vi.setSystemTime(Date.now() + 700),
      }
      for (const what of script) {
        vi.setSystemTime(Date.now() + 150)
        await run[what]()
        await turns()
        if ((alarmAt() ?? Infinity) <= Date.now()) void fireAlarm(reading)
        await turns()
      }
      await end('done')
      for (let i = 0; i < 4 && reading.dueAt() !== null; i++) {
        vi.setSystemTime(Math.max(Date.now(), alarmAt() ?? reading.dueAt() ?? 0) + retryMs)
        void reading.runIfDue()
        await turns()
        await end('done')
      }
      expect(reading.dueAt()).toBeNull()
      expect(reads.at(-1)?.startedAt ?? 0).toBeGreaterThanOrEqual(requestedAt)
    })
    await fc.assert(check, { numRuns: 300 })
    vi.restoreAllMocks()
  })
})
