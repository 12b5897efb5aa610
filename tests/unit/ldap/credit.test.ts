import { describe, expect, it } from 'vitest'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { Credit } from '#domain/ldap/credit.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** The same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}

describe('directory.md, Private mode · credit of a tunnel', () => {
  it('whatever the pieces, all bytes pass, and never more than a window is on the way (20 seeds)', async () => {
    const offenders = await findOffenders(Array.from({ length: 20 }, (_, seed) => seed + 1))((seed) => {
      const random = createRandom(seed)
      const [sender, receiver] = [new Credit(TUNNEL), new Credit(TUNNEL)]
      const total = 2_000_000
      let [sent, consumed, waiting, breaches] = [0, 0, 0, 0]
      for (let steps = 0; consumed < total; steps++) {
        expect(steps).toBeLessThan(20_000)
        if (random() < 0.6) {
          const size = sender.sendable(Math.min(total - sent, 1 + Math.floor(random() * TUNNEL.frameBytes)))
          sender.sent(size)
          sent += size
          waiting += size
          if (!receiver.receive(size)) breaches++
        } else if (waiting > 0) {
          const size = Math.min(waiting, 1 + Math.floor(random() * TUNNEL.frameBytes))
          waiting -= size
          consumed += size
          const due = receiver.consume(size)
          if (due > 0 && !sender.credited(due)) breaches++
        }
        expect(sent - consumed).toBeLessThanOrEqual(TUNNEL.windowBytes)
      }
      expect([sent, breaches]).toEqual([total, 0])
    })
    expect(offenders).toEqual([])
  })

  it('says when the other side sends beyond its credit, or credits what was not sent', () => {
    const credit = new Credit(TUNNEL)
    expect(credit.receive(TUNNEL.windowBytes)).toBe(true)
    expect(credit.receive(1)).toBe(false)
    expect(new Credit(TUNNEL).credited(1)).toBe(false)
  })
})
