import { expect, it } from 'vitest'
import type { BucketKind } from '#contract/monitor/alert.ts'
import { type Delivery, expandNotice, laneOf } from '#domain/monitor/delivery.ts'
import { NOTICE_RANK, type SendResult } from '#domain/monitor/lane.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'
import { OK, Outbox, type Receiver } from './receivers.ts'
import { Simulation, createFacts, settingsWith } from './simulation.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const FAILURES: Readonly<Record<string, SendResult | 'crash'>> = {
  http500: { kind: 'retry', code: '500', words: '', afterMs: 0 },
  throttled: { kind: 'retry', code: '429', words: '', afterMs: 2 * MINUTE },
  hang: { kind: 'retry', code: 'OUTBOUND_TIMEOUT', words: '', afterMs: 0 },
  close: { kind: 'retry', code: 'OUTBOUND_UNREACHABLE', words: '', afterMs: 0 },
  crash: 'crash',
}
const KINDS = Object.keys(FAILURES)

/** One notice that reached a receiver; a digest brings those that it covers. */
interface Heard {
  readonly lane: string
  readonly alertId: string
  readonly isEnd: boolean
  readonly isAnswered: boolean
  /** Creation of the notice; Infinity for one in a digest. */
  readonly createdAt: number
}

/** Members that go and come for days, to receivers with outages of minutes to days. */
function simulate(seed: number, webhook: BucketKind) {
  const { next: random } = createRandom(seed)
  const names = Array.from({ length: 12 }, (_, i) => `r${i}`)
  const facts = createFacts({ N1: { centers: ['r0'], points: names.slice(1, 6) } })
  const run = new Simulation(settingsWith({ canEscalate: true }), facts)
  const heard: Heard[] = []
  let outage = { kind: 'http500', until: 0, next: HOUR }
  const answer = (now: number): string => {
    if (now >= outage.next) {
      const lengthMs = random() < 0.1 ? random() * 3 * DAY : random() * HOUR
      outage = {
        kind: KINDS[Math.floor(random() * KINDS.length)]!,
        until: now + lengthMs,
        next: now + lengthMs + random() * 6 * HOUR,
      }
    }
    if (now < outage.until) return outage.kind
    return random() < 0.1 ? KINDS[Math.floor(random() * KINDS.length)]! : 'ok'
  }
  let isQuiet = false
  const receive: Receiver = (one, now) => {
    const kind = isQuiet ? 'ok' : answer(now)
    const result = kind === 'ok' ? OK : FAILURES[kind]!
    const covered = one.covers ?? [one]
    const isReceived = kind === 'ok' || kind === 'hang' || kind === 'crash'
    for (const { alertId, event } of isReceived ? covered : [])
      heard.push({
        lane: laneOf(one),
        alertId,
        isEnd: event.endsWith('.recovered'),
        isAnswered: kind === 'ok',
        createdAt: one.covers ? Infinity : one.createdAt,
      })
    return result
  }
  const outbox = new Outbox(receive, random, webhook)
  const recipients = {
    mails: [{ address: 'a@example.com', unsent: '' }],
    escalation: [{ address: 'a@example.com', unsent: '' }],
    hasWebhook: true,
  }
  let taken = 0
  const store = () => {
    for (const notice of run.notices.slice(taken)) {
      const quietUntil = random() < 0.1 ? run.now + random() * 8 * HOUR : null
      const deliveries = expandNotice(notice, { accountId: 1, recipients, quietUntil, now: run.now, timeText: String })
      outbox.add(deliveries)
    }
    taken = run.notices.length
  }
  const pass = (ms: number) => {
    const end = run.now + ms
    for (;;) {
      const due = outbox.due(run.now)
      const target = Math.max(run.now, due !== null && due <= end ? due : end)
      run.advance(target - run.now)
      store()
      if (due === null || due > end) break
      outbox.drain(run.now)
    }
  }
  for (let i = 0; i < 250; i++) {
    const name = names[Math.floor(random() * names.length)]!
    if (random() < 0.03) for (const other of names) run.bad('router_offline', other)
    else if (random() < 0.5) run.bad('router_offline', name)
    else run.good('router_offline', name)
    store()
    pass(random() < 0.05 ? random() * DAY : random() * 20 * MINUTE)
  }
  isQuiet = true
  pass(2 * DAY)
  return { run, outbox, heard }
}

const lastByAlert = (heard: readonly Heard[]) =>
  new Map([...Map.groupBy(heard, ({ lane, alertId }) => `${lane} ${alertId}`)].map(([key, all]) => [key, all.at(-1)!]))

it.each(
  oneInTurn([
    [1, 'other'],
    [2, 'other'],
    [5, 'dingtalk'],
    [4, 'feishu'],
  ] as const),
)('design 8 · after outages, the last word on an alert is its state (seed %i, %s)', (seed, webhook) => {
  const { run, outbox, heard } = simulate(seed, webhook)
  const open = new Set(run.state.alerts.keys())
  for (const words of [heard, heard.filter(({ isAnswered }) => isAnswered)]) {
    const wrong = [...lastByAlert(words)].filter(([, { alertId, isEnd }]) => isEnd === open.has(alertId))
    expect(wrong).toEqual([])
  }

  // Notices of one alert are taken in the order in which they were made.
  const answered = heard.filter(({ isAnswered, createdAt }) => isAnswered && Number.isFinite(createdAt))
  const late = [...Map.groupBy(answered, ({ lane, alertId }) => `${lane} ${alertId}`)].filter(([, all]) =>
    all.some(({ createdAt }, i) => i > 0 && createdAt < all[i - 1]!.createdAt),
  )
  expect(late).toEqual([])
  expect(outbox.of('pending').filter(({ createdAt }) => createdAt < run.now - HOUR)).toEqual([])
  expect(run.records().length).toBeGreaterThan(30)
  expect(heard.filter(({ isAnswered }) => !isAnswered).length).toBeGreaterThan(20)
})

const create = (n: number, over: Partial<Delivery> = {}): Delivery => ({
  id: `e${n}`,
  alertId: 'a',
  kind: 'open',
  channel: 'webhook',
  target: '',
  title: '',
  lines: [],
  networks: [],
  networkNumber: '',
  routerName: '',
  event: 'router.offline',
  at: 0,
  state: 'pending',
  tries: 0,
  nextAt: n,
  createdAt: n,
  triedFrom: n,
  doneAt: null,
  code: '',
  words: '',
  ...over,
})
const TIMED_OUT: SendResult = { kind: 'retry', code: 'OUTBOUND_TIMEOUT', words: '', afterMs: MINUTE }

it('design 8 · a notice that timed out is tried again before a later one of its alert, with the same id', () => {
  let answers = 0
  const outbox = new Outbox(
    () => (answers++ === 0 ? TIMED_OUT : OK),
    () => 0,
    'other',
  )
  outbox.add([create(0)])
  outbox.drain(0)
  outbox.add([create(1, { kind: 'recovery' })])
  outbox.drain(1)
  expect(outbox.received.map(({ id }) => id)).toEqual(['e0'])
  expect(outbox.due(1)).toBe(MINUTE)
  for (let i = 0; i < 2; i++) outbox.drain(MINUTE)
  expect(outbox.received.map(({ id }) => id)).toEqual(['e0', 'e0', 'e1'])
})

it('design 8 · a permanent refusal is skipped', () => {
  const outbox = new Outbox(
    ({ id }) => (id === 'e0' ? { kind: 'permanent', code: '400', words: '' } : OK),
    undefined,
    'other',
  )
  outbox.add([create(0), create(0, { id: 'r', kind: 'reminder' })])
  for (let i = 0; i < 2; i++) outbox.drain(1)
  expect(outbox.of('sent').map(({ id }) => id)).toEqual(['r'])
})

it('design 8 · a notice waits for a digest that holds an earlier one of its alert, and for no other', () => {
  let isBack = false
  const outbox = new Outbox(
    () => (isBack ? OK : TIMED_OUT),
    () => 0,
    'dingtalk',
  )
  outbox.add(Array.from({ length: 9 }, (_, i) => create(0, { id: `e${i}`, alertId: `a${i}` })))
  outbox.drain(0)
  outbox.add([create(1, { id: 'end', alertId: 'a3', kind: 'recovery' }), create(1, { id: 'new', alertId: 'b' })])
  isBack = true
  outbox.drain(MINUTE)
  expect(outbox.received.map(({ id }) => id)).toEqual(['e0.digest', 'e0.digest', 'new'])
  outbox.drain(MINUTE)
  expect(outbox.received.at(-1)?.id).toBe('end')
})

it('design 8 · an end is not given up while nobody answers, and costs one try an hour', () => {
  let now = 0
  let isBack = false
  const outbox = new Outbox(
    () => (isBack ? OK : TIMED_OUT),
    () => 0.5,
    'other',
  )
  outbox.add([create(0, { kind: 'recovery' }), create(0, { id: 'other', alertId: 'b' })])
  const runUntil = (end: number) => {
    for (outbox.drain(now); ; outbox.drain(now)) {
      const due = outbox.due(now)
      if (due === null || due > end) return
      now = Math.max(now + 1, due)
    }
  }
  runUntil(2 * DAY)
  const before = outbox.received.length
  runUntil(30 * DAY)
  expect(outbox.received.length - before).toBeLessThanOrEqual(28 * 24)
  expect(outbox.of('failed').map(({ id }) => id)).toEqual(['other'])
  isBack = true
  runUntil(30 * DAY + 2 * HOUR)
  expect(outbox.of('sent').map(({ id }) => id)).toEqual(['e0'])
})

it('the ranks of notices of one time have the end of an alert last', () => {
  const { paused: _, ...ranks } = NOTICE_RANK
  expect(Math.max(...Object.values(ranks))).toBe(NOTICE_RANK.recovery)
})
