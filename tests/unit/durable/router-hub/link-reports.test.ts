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

it('a tunnel goes to the network when its reason, cipher or address moves, or its loss by 2 %', () => {
  const before = { cipher: 'AES-256-GCM', remote: '203.0.113.9:40001', loss: 10 }
  const reported = (state: RouterState, up: boolean, tunnel: object) => {
    const frame = { t: 'links' as const, links: [{ id: 'n:a>b', up, rtt_ms: 1, tunnel }] }
    const next = step(state, { type: 'frame', frame, spreadMs: 0 }, 1)
    return { state: next.state, isSent: next.effects.some(({ type }) => type === 'links') }
  }
  const { state } = reported(blankRouter, true, before)
  const cases: readonly [object, boolean][] = [
    [before, false],
    [{ ...before, loss: 29 }, false],
    [{ ...before, loss: 30 }, true],
    [{ ...before, loss: 0 }, true],
    [{ ...before, cipher: 'SM4-CBC' }, true],
    [{ ...before, remote: '203.0.113.9:40002' }, true],
    [{ ...before, reason: '证书已吊销' }, true],
  ]
  expect(cases.filter(([tunnel, isSent]) => reported(state, true, tunnel).isSent !== isSent)).toEqual([])
  expect(reported(state, true, { ...before, cipher: 'SM4-CBC' }).state.links['n:a>b']?.tunnel).toMatchObject({
    cipher: 'SM4-CBC',
  })
})
