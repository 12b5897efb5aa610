import { expect, it } from 'vitest'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { DIAL_REQUEST, SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'
import type { AgentFrame } from '#contract/kernel/protocol.ts'
import { type DialDecision, DialRequests } from '#infra/agent/reports/dial-requests.ts'
import { FakeClock } from './support/fake-clock.ts'

const DIALLING = {
  network_number: 'N1',
  name: 'li.na@qiming',
  secret: 'token',
  renewed: false,
  remote: '203.0.113.9',
  os: 'linux',
  version: '1.0.0',
}
const OK = { ok: true, reason: '' }
const AWAY = { ok: false, reason: '控制台暂时不可达，请稍后再试', cause: 'DIAL_AWAY' }

function harness() {
  const clock = new FakeClock()
  const frames: Extract<AgentFrame, { t: 'client_auth' }>[] = []
  const requests = new DialRequests({
    clock,
    send: (frame) => frame.t === 'client_auth' && frames.push(frame),
  })
  const decisions: DialDecision[] = []
  const ask = () => void requests.ask(DIALLING).then((decision) => decisions.push(decision))
  return { clock, frames, requests, decisions, ask }
}

it('asks the hub with what was presented, and gives its answer', async () => {
  const { clock, frames, requests, decisions, ask } = harness()
  requests.connected()
  ask()
  expect(frames).toEqual([{ t: 'client_auth', id: expect.any(String), ...DIALLING }])
  requests.answered('another', OK)
  requests.answered(frames[0]!.id, OK)
  requests.answered(frames[0]!.id, AWAY)
  await clock.advance(DIAL_REQUEST.answerMs)
  expect(decisions).toEqual([OK])
})

it('refuses at once while the hub is away, and what was open when it went away', async () => {
  const { clock, frames, requests, decisions, ask } = harness()
  ask()
  await clock.advance(0)
  expect(decisions).toEqual([AWAY])
  requests.connected()
  for (let n = 0; n < 3; n++) ask()
  requests.disconnected()
  await clock.advance(0)
  expect(decisions).toEqual([AWAY, AWAY, AWAY, AWAY])
  requests.answered(frames[0]!.id, OK)
  await clock.advance(DIAL_REQUEST.answerMs)
  expect(decisions).toHaveLength(4)
})

it('refuses a dial without an answer in time', async () => {
  const { clock, requests, decisions, ask } = harness()
  requests.connected()
  ask()
  await clock.advance(DIAL_REQUEST.answerMs - 1)
  expect(decisions).toEqual([])
  await clock.advance(1)
  expect(decisions).toEqual([AWAY])
})

it('200 clients that return at once stay below the frame limit, with few of them open', async () => {
  const { clock, frames, requests, decisions, ask } = harness()
  requests.connected()
  for (let n = 0; n < 200; n++) ask()
  const perSecond: number[] = []
  let answered = 0
  for (let second = 0; second < 30 && decisions.length < 200; second++) {
    const before = frames.length
    for (let step = 0; step < 20; step++) {
      await clock.advance(50)
      expect(frames.length - answered).toBeLessThanOrEqual(DIAL_TOKEN.openMax)
      for (; answered < frames.length; answered++) requests.answered(frames[answered]!.id, OK)
    }
    perSecond.push(frames.length - before)
  }
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(SOCKET_GUARD.framesPerSecond / 2 + 1)
  expect(decisions.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(150)
})

it('refuses beyond the queue, with the hub’s own sentence', async () => {
  const { clock, requests, decisions, ask } = harness()
  requests.connected()
  for (let n = 0; n < DIAL_REQUEST.queueMax + 2; n++) ask()
  await clock.advance(0)
  expect(decisions).toEqual([{ ok: false, reason: '拨入请求较多，请稍候重试', cause: 'DIAL_BUSY' }])
})
