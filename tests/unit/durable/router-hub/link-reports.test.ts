import { expect, it } from 'vitest'
import { step } from '#durable/router-hub/state/machine.ts'
import { type RouterState, blankRouter } from '#durable/router-hub/state/storage.ts'

/** Reports one link that is up; answers the state and the round trip times that go to the network's hub. */
function report(state: RouterState, rtt_ms: number | null) {
  const frame = { t: 'links' as const, links: [{ id: 'n:a>b', up: true, rtt_ms }] }
  const next = step(state, { type: 'frame', frame, spreadMs: 0 }, 1)
  const sent = next.effects.flatMap((effect) =>
    effect.type === 'links' ? effect.links.map((link) => link.rtt_ms) : [],
  )
  return { state: next.state, sent }
}

it('a link that is known without a round trip time gets its first one, however small; then only larger changes', () => {
  const unmeasured = report(blankRouter, null)
  expect(unmeasured.sent).toEqual([null])
  const first = report(unmeasured.state, 1)
  expect(first.sent).toEqual([1])
  const similar = report(first.state, 4)
  expect(similar.sent).toEqual([])
  expect(report(similar.state, 12).sent).toEqual([12])
})
