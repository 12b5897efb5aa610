import { describe, expect, it } from 'vitest'
import { ALERT_RETRY, BUCKETS } from '#contract/monitor/alert.ts'
import type { Delivery } from '#domain/monitor/delivery.ts'
import { type SendResult, newLane, planLane, resend, applyResult } from '#domain/monitor/lane.ts'
import { OK, Outbox, type Receiver } from './receivers.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const MAIL = { kind: 'mail', now: 0, random: 0 } as const

const create = (n: number, over: Partial<Delivery> = {}): Delivery => ({
  id: `e${n}`,
  alertId: `a${n}`,
  kind: 'open',
  channel: 'webhook',
  target: '',
  title: `成员离线：r${n}`,
  lines: [],
  networks: [],
  networkNumber: '',
  routerName: '',
  event: 'router.offline',
  at: 0,
  state: 'pending',
  tries: 0,
  nextAt: 0,
  createdAt: 0,
  triedFrom: 0,
  doneAt: null,
  code: '',
  words: '',
  ...over,
})
const createMany = (n: number, over: Partial<Delivery> = {}) => Array.from({ length: n }, (_, i) => create(i, over))

function runFor(outbox: Outbox, ms: number, from = 0): void {
  for (let now = from; ;) {
    outbox.drain(now)
    const due = outbox.due(now)
    if (due === null || due > from + ms) return
    now = Math.max(now + 1, due)
  }
}

describe('integrations 1 · limits of robots', () => {
  it('as many messages as the bucket allows go one by one, more are one digest', () => {
    const lane = newLane('dingtalk', 0)
    const { size } = BUCKETS.dingtalk
    expect(planLane(createMany(size), lane, 'dingtalk', 0).send).toHaveLength(size)
    const { send, closed, lane: after } = planLane(createMany(size + 1), lane, 'dingtalk', 0)
    expect(send).toMatchObject([{ id: 'e0.digest', kind: 'digest', title: `${size + 1}条告警通知` }])
    expect(closed.map(({ state }) => state)).toEqual(Array.from({ length: size + 1 }, () => 'merged'))
    expect(after.tokens).toBe(size - 1)
  })
  it('an empty bucket waits for its next token', () => {
    const lane = { ...newLane('wechat', 0), tokens: 0 }
    expect(planLane([create(1)], lane, 'wechat', BUCKETS.wechat.refillMs - 1).send).toEqual([])
    expect(planLane([create(1)], lane, 'wechat', BUCKETS.wechat.refillMs).send).toHaveLength(1)
  })
  it.each([
    ['dingtalk', 20, 20],
    ['wechat', 20, 20],
    ['feishu', 100, 5],
  ] as const)(
    '%s gets no more than it takes in any minute, or in any second, with tests of its address',
    (kind, perMinute, perSecond) => {
      const outbox = new Outbox(() => OK, undefined, kind)
      const next = { n: 0 }
      for (let now = 0; now < 10 * MINUTE; now += 50) {
        if (next.n % 3 > 0 || now % 7_000 === 0) outbox.add([create(next.n)])
        next.n += 1
        outbox.drain(now)
      }
      const times = outbox.received.map(({ at }) => at)
      expect(times.length).toBeGreaterThan(perMinute * 3)
      const most = (ms: number) =>
        Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))
      expect(most(MINUTE) + WEBHOOK.testRate.limit).toBeLessThanOrEqual(perMinute)
      expect(most(1_000)).toBeLessThanOrEqual(perSecond - (perSecond < perMinute ? 1 : 0))
    },
  )
  it('the pause of a second counts from the last answer, however slow those before were', () => {
    const plan = planLane(createMany(10), newLane('feishu', 0), 'feishu', 0)
    expect(plan.send).toHaveLength(4)
    const { lane } = applyResult(plan.send[3]!, plan.lane, OK, { kind: 'feishu', now: 5_000, random: 0 })
    expect(planLane(createMany(6), lane, 'feishu', 5_999).send).toEqual([])
    expect(planLane(createMany(6), lane, 'feishu', 6_000).send).toHaveLength(4)
  })
  it('a delivery that was tried is repeated unchanged, never within a digest', () => {
    const plan = planLane([create(99, { tries: 1 }), ...createMany(30)], newLane('dingtalk', 0), 'dingtalk', 0)
    expect(plan.send.map(({ id }) => id)).toEqual(['e99', 'e0.digest'])
  })
  it('an alert that is over before its first notice was sent is sent as recovered only', () => {
    const waiting = [create(1), create(2, { alertId: 'a1', kind: 'recovery' })]
    const { send, closed } = planLane(waiting, newLane('mail', 0), 'mail', 0)
    expect([send.map(({ id }) => id), closed.map(({ id }) => id)]).toEqual([['e2'], ['e1']])
  })
})

describe('design 8 · a channel that fails for an hour loses nothing and doubles nothing', () => {
  const until = HOUR
  const refused: SendResult = { kind: 'retry', code: '500', words: 'busy', afterMs: 0 }
  const throttled: SendResult = { kind: 'retry', code: '130101', words: 'send too fast', afterMs: 10 * MINUTE }
  it.each<[string, Receiver]>([
    ['refusal', (_, now) => (now < until ? refused : OK)],
    ['throttle', (_, now) => (now < until ? throttled : OK)],
    ['time-out with a crash', (_, now) => (now < until ? 'crash' : OK)],
  ])('%s', (_, receiver) => {
    const outbox = new Outbox(receiver)
    outbox.add(createMany(5))
    runFor(outbox, 2 * HOUR)
    expect(outbox.of('sent').map(({ id }) => id)).toEqual(['e0', 'e1', 'e2', 'e3', 'e4'])
    const accepted = outbox.received.filter(({ at }) => at >= until).map(({ id }) => id)
    expect(accepted.toSorted()).toEqual(['e0', 'e1', 'e2', 'e3', 'e4'])
  })
  it('the row says what the other side answers meanwhile', () => {
    const outbox = new Outbox(() => throttled)
    outbox.add([create(1)])
    runFor(outbox, MINUTE)
    expect(outbox.of('pending')).toMatchObject([{ tries: 1, code: '130101', words: 'send too fast' }])
  })
  it('a dead robot delays no mail', () => {
    const outbox = new Outbox(({ channel }) => (channel === 'mail' ? OK : refused))
    outbox.add([create(1), create(2, { channel: 'mail', target: 'a@example.com' })])
    outbox.drain(0)
    expect(outbox.of('sent').map(({ id }) => id)).toEqual(['e2'])
  })
  it('gives up after a day, and says why', () => {
    const outbox = new Outbox(() => refused)
    outbox.add([create(1)])
    runFor(outbox, 2 * ALERT_RETRY.giveUpMs)
    expect(outbox.of('failed')).toMatchObject([{ code: '500', words: 'busy' }])
  })
})

describe('design 8 · five permanent failures in a row pause the channel', () => {
  const gone: SendResult = { kind: 'permanent', code: '310000', words: 'sign not match' }
  it('the sixth is not sent', () => {
    const outbox = new Outbox(() => gone)
    outbox.add(createMany(5))
    outbox.drain(0)
    outbox.add([create(6)])
    outbox.drain(1)
    expect(outbox.paused).toBe(1)
    expect(outbox.received).toHaveLength(5)
    expect(outbox.of('skipped')).toMatchObject([{ id: 'e6', words: '通道已暂停' }])
  })
  it('a success between them counts from the start', () => {
    let tries = 0
    const outbox = new Outbox(() => (++tries === 3 ? OK : gone))
    outbox.add(createMany(7))
    outbox.drain(0)
    expect(outbox.paused).toBe(0)
  })
  it('one that may not be sent to its contact is no failure of the channel', () => {
    const { delivery, lane } = applyResult(
      create(1),
      newLane('mail', 0),
      { kind: 'unsent', words: '联系人授权已过期' },
      MAIL,
    )
    expect([delivery.state, delivery.words, lane.failures]).toEqual(['unsent', '联系人授权已过期', 0])
  })
  it('a repetition by hand keeps the event id', () => {
    const { delivery } = applyResult(create(1, { tries: 1 }), newLane('mail', 0), gone, MAIL)
    expect(resend(delivery, 9)).toMatchObject({ id: 'e1', state: 'pending', nextAt: 9, tries: 1 })
  })
})

it('a retry waits between nothing and a limit that doubles, up to ten minutes', () => {
  const refused: SendResult = { kind: 'retry', code: '', words: '', afterMs: 0 }
  const waits = (tries: number) =>
    [0, 0.999].map(
      (random) => applyResult(create(1, { tries }), newLane('mail', 0), refused, { ...MAIL, random }).delivery.nextAt,
    )
  expect(waits(1)).toEqual([0, 9_990])
  expect(waits(3)).toEqual([0, 39_960])
  expect(waits(20)).toEqual([0, 599_400])
})
