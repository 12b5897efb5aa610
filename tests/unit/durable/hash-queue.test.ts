import { describe, expect, it } from 'vitest'
import { EMPTY_QUEUE, type HashQueue, enqueue, finish, nextRequest, start } from '#durable/hash-pool/queue.ts'
import { HASH_POOL } from '#contract/kernel/limits.ts'
import type { HashClient } from '#contract/kernel/passwords.ts'

const HASH_MS: number = HASH_POOL.expectedMs
let count = 0
const person = (over: Partial<HashClient> = {}): HashClient => {
  const name = `p${++count}`
  return { account: name, source: name, isAnonymous: false, ...over }
}
const visitor = (over: Partial<HashClient> = {}) => person({ isAnonymous: true, ...over })

interface Ran {
  readonly source: string
  readonly startedAt: number
}

/** Puts the clients into the queue at once and lets it run; returns the starts in order, and who was refused. */
function play(clients: readonly HashClient[], hashMs = HASH_MS, from: HashQueue = EMPTY_QUEUE, at = 0) {
  const [ran, refused]: [Ran[], number[]] = [[], []]
  let [queue, now] = [from, at]
  for (const client of clients) {
    const offered = enqueue(queue, client, now)
    if ('retryAfter' in offered) refused.push(offered.retryAfter)
    else queue = offered.queue
  }
  for (;;) {
    const next = nextRequest(queue, now)
    if (!next) return { ran, refused, queue, now }
    if ('waitMs' in next) {
      now += next.waitMs
      continue
    }
    ran.push({ source: next.request.client.source, startedAt: now })
    queue = start(queue, next.request, now)
    expect(nextRequest(queue, now)).toBeNull()
    now += hashMs + HASH_POOL.pauseMs
    queue = finish(queue, hashMs, now)
  }
}

const many = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make)

describe('the queue of a pool object', () => {
  it('runs one request at a time, with the pause between', () => {
    const { ran } = play(many(3, person))
    expect(ran.map(({ startedAt }) => startedAt)).toEqual([0, 120, 240])
  })

  it('gives visitors half of the time at most, and the rest to others at once', () => {
    const alone = play(many(8, visitor))
    const gaps = alone.ran.slice(1).map(({ startedAt }, i) => startedAt - alone.ran[i]!.startedAt)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * HASH_MS)
    const own = person()
    const { ran } = play([...many(8, visitor), own])
    expect(ran.findIndex(({ source }) => source === own.source)).toBe(1)
  })

  it('starts what nobody waits for behind everybody else', () => {
    const background = person({ isBackground: true })
    const clients = [background, person(), visitor(), person()]
    const { ran } = play(clients)
    expect(ran.map(({ source }) => source)).toEqual([...clients.slice(1), background].map(({ source }) => source))
  })

  it('takes one request of an account a second', () => {
    const { ran } = play(many(4, () => person({ account: 'one', source: 'one' })))
    expect(ran.map(({ startedAt }) => startedAt)).toEqual([0, 1_000, 2_000, 3_000])
  })

  it('is fair between sources: who sends much waits behind who sends little', () => {
    const flood = many(12, () => visitor({ source: 'flood' }))
    const { ran } = play([...flood, visitor({ source: 'late' }), visitor({ source: 'later' })])
    expect(ran.slice(0, 3).map(({ source }) => source)).toEqual(['flood', 'late', 'later'])
  })

  it('is fair among the people of an account too', () => {
    const flood = many(8, () => person({ account: 'one', source: 'sub' }))
    const { ran, refused } = play([...flood, person({ account: 'one', source: 'main' })])
    expect(ran.slice(0, 2)).toEqual([
      { source: 'sub', startedAt: 0 },
      { source: 'main', startedAt: 1_000 },
    ])
    expect(refused).toHaveLength(2)
  })

  it('starves nobody: a source that never stops does not overtake what waits', () => {
    let queue = EMPTY_QUEUE
    const add = (client: HashClient, now: number) => {
      const offered = enqueue(queue, client, now)
      if ('queue' in offered) queue = offered.queue
    }
    for (const client of many(3, () => person({ source: 'slow' }))) add(client, 0)
    const order: string[] = []
    for (let now = 0; order.length < 9;) {
      add(person(), now) // a new source each time
      const next = nextRequest(queue, now)
      if (!next || 'waitMs' in next) throw new Error('somebody could start')
      order.push(next.request.client.source === 'slow' ? 'slow' : 'new')
      queue = start(queue, next.request, now)
      now += HASH_MS + HASH_POOL.pauseMs
      queue = finish(queue, HASH_MS, now)
    }
    expect(order.filter((source) => source === 'slow')).toHaveLength(3)
  })

  it('refuses what would start after five seconds, and says when there is room', () => {
    const { ran, refused } = play(many(64, visitor))
    expect(ran.at(-1)!.startedAt).toBeLessThanOrEqual(HASH_POOL.waitMs)
    expect(ran.length + refused.length).toBe(64)
    expect(ran.length).toBeGreaterThan(20)
    expect(refused.every((seconds) => Number.isInteger(seconds) && seconds >= 1)).toBe(true)
  })

  it('goes by the time that hashes really take', () => {
    const slow = play(many(10, person), 500)
    expect(slow.queue.hashMs).toBeGreaterThan(400)
    expect(play(many(64, person), 500, slow.queue, slow.now).ran.length).toBeLessThan(14)
  })

  it('refuses no other account while visitors or one account fill their part', () => {
    const flood = [...many(64, visitor), ...many(20, () => person({ account: 'one', source: 'one' }))]
    const own = person()
    const { ran } = play([...flood, own])
    expect(ran.find(({ source }) => source === own.source)!.startedAt).toBeLessThan(1_000)
  })

  it('forgets accounts and sources that are through', () => {
    const { queue, now } = play(many(50, person))
    const { queue: after } = play([person()], HASH_MS, queue, now + 60_000)
    expect([after.accountAt.size, after.sourceTag.size]).toEqual([1, 0])
  })
})
