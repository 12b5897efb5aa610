import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FrameQueue } from '#durable/router-hub/frame-queue.ts'
import { SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'

const { framesAtOnce, frameGapMs, framesPerSecond } = SOCKET_GUARD

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A queue, and the numbers of the frames that it has handled. */
function createQueue() {
  const queue = new FrameQueue()
  const handled: number[] = []
  const add = (count: number, from = 0) => {
    for (let n = from; n < from + count; n++) queue.add(() => handled.push(n), Date.now())
  }
  return { queue, handled, add }
}
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('hubs.md, State outbox · frames of one device', () => {
  it('handles some at once, the others one after each gap, in order', () => {
    const { handled, add } = createQueue()
    add(framesPerSecond)
    expect(handled).toEqual(numbers(framesAtOnce))
    for (let count = framesAtOnce + 1; count <= framesPerSecond; count++) {
      vi.advanceTimersByTime(frameGapMs)
      expect(handled).toEqual(numbers(count))
    }
  })

  it('handles a second of frames within half of it, so that none waits for the next second', () => {
    const { handled, add } = createQueue()
    add(framesPerSecond)
    vi.advanceTimersByTime(500)
    expect(handled).toHaveLength(framesPerSecond)
  })

  it('handles at once again after a pause, and only after one', () => {
    const { handled, add } = createQueue()
    add(framesAtOnce)
    add(1, framesAtOnce)
    expect(handled).toHaveLength(framesAtOnce)
    vi.advanceTimersByTime(framesAtOnce * frameGapMs + frameGapMs)
    add(framesAtOnce, framesAtOnce + 1)
    expect(handled).toEqual(numbers(2 * framesAtOnce + 1))
  })

  it('drains what waits in order, and handles nothing twice', () => {
    const { queue, handled, add } = createQueue()
    add(framesPerSecond)
    queue.drain()
    expect(handled).toEqual(numbers(framesPerSecond))
    vi.advanceTimersByTime(1_000)
    expect(handled).toHaveLength(framesPerSecond)
  })

  it('a frame that clears the queue is the last one, also where it is being drained', () => {
    const { queue, handled, add } = createQueue()
    add(framesAtOnce)
    queue.add(() => queue.clear(), Date.now())
    add(3, 100)
    queue.drain()
    vi.advanceTimersByTime(1_000)
    expect(handled).toEqual(numbers(framesAtOnce))
  })

  it('goes on where the clock falls or stands still', () => {
    const { handled, add } = createQueue()
    add(framesAtOnce + 1)
    vi.setSystemTime(0)
    vi.advanceTimersByTime(frameGapMs)
    add(1, framesAtOnce + 1)
    vi.advanceTimersByTime(frameGapMs)
    expect(handled).toEqual(numbers(framesAtOnce + 2))
  })
})
