import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acknowledge, INITIAL_CREDIT, offer } from '#durable/viewer-credit.ts'
import { STREAM } from '#contract/kernel/hub-limits.ts'

describe('credit of a viewer', () => {
  it('sends four frames, then none until an acknowledgement, then catches up once', () => {
    let credit = INITIAL_CREDIT
    const sent: number[] = []
    for (let seq = 1; seq <= 9; seq++) {
      const next = offer(credit, seq)
      if (next.send) sent.push(seq)
      credit = next.credit
    }
    expect(sent).toEqual([1, 2, 3, 4])
    const first = acknowledge(credit, 1)
    expect(first.catchUp).toBe(true)
    expect(acknowledge(first.credit, 1).catchUp).toBe(false)
  })

  it('never has more than its credit in flight', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(60)), { maxLength: 80 }), (script) => {
        let credit = INITIAL_CREDIT
        let seq = 0
        for (const ack of script) {
          credit = ack === null ? offer(credit, ++seq).credit : acknowledge(credit, ack).credit
          expect(credit.inFlight.length).toBeLessThanOrEqual(STREAM.creditFrames)
        }
      }),
    )
  })
})
