import { expect, it } from 'vitest'
import { ALERT, type AlertRule, RULE_DEFAULTS } from '#contract/monitor/alert.ts'
import { expandNotice } from '#domain/monitor/delivery.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { OK, Outbox } from './receivers.ts'
import { Simulation, createFacts, settingsWith } from './simulation.ts'

const MINUTE = 60_000
const RULES = ['router_offline', 'flapping', 'config_failed', 'pop_connect'] as const satisfies readonly AlertRule[]
const TRANSITIONS = 10_000

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Interval {
  readonly rule: AlertRule
  readonly object: string
  readonly from: number
  readonly to: number
}

/** Random transitions of sixty members; alarms are late, receivers refuse, hang and crash. */
function simulate(seed: number) {
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const names = Array.from({ length: 60 }, (_, i) => `r${i}`)
  const points = names.slice(2)
  const run = new Simulation(
    settingsWith({ canEscalate: true }),
    createFacts({ N1: { centers: ['r0', 'r1'], points } }),
  )
  const outbox = new Outbox(() => {
    const chance = random()
    if (chance < 0.1) return 'crash'
    return chance < 0.3 ? { kind: 'retry', code: '500', words: '', afterMs: chance < 0.15 ? MINUTE : 0 } : OK
  }, random)
  const mayBeSent = (address: string) => ({ address, unsent: '' })
  const recipients = {
    mails: ['a@example.com', 'b@example.com'].map(mayBeSent),
    escalation: [mayBeSent('c@example.com')],
    hasWebhook: true,
  }
  const took = { notices: 0 }
  const store = () => {
    for (const notice of run.notices.slice(took.notices))
      outbox.add(expandNotice(notice, { accountId: 1, recipients, quietUntil: null, now: run.now, timeText: String }))
    took.notices = run.notices.length
  }
  const since = new Map<string, number>()
  const intervals: Interval[] = []
  const set = (rule: AlertRule, object: string, isBad: boolean) => {
    const key = `${rule} ${object}`
    const from = since.get(key)
    if (isBad === (from !== undefined) && random() < 0.8) return
    if (isBad) {
      since.set(key, from ?? run.now)
      run.bad(rule, object)
    } else {
      if (from !== undefined) intervals.push({ rule, object, from, to: run.now })
      since.delete(key)
      run.good(rule, object)
    }
  }
  const pass = (ms: number) => {
    const end = run.now + ms
    for (;;) {
      const due = [outbox.due(run.now)].filter((at) => at !== null && at <= end)[0]
      const target = Math.max(run.now, due ?? end)
      run.advance(target - run.now)
      store()
      if (due === undefined) break
      outbox.drain(run.now)
    }
  }
  for (let i = 0; i < TRANSITIONS; i++) {
    if (random() < 0.01) for (const name of names) set('router_offline', name, random() < 0.7)
    else set(pick(RULES), pick(names), random() < 0.5)
    store()
    if (random() < 0.3) pass(Math.round(random() * 4 * MINUTE))
    else if (random() < 0.05) run.sleep(Math.round(random() * 20 * MINUTE))
    if (random() < 0.02) run.acknowledge('demo01')
  }
  for (const [key, from] of since) {
    const [rule, object] = key.split(' ') as [AlertRule, string]
    intervals.push({ rule, object, from, to: run.now })
    run.good(rule, object)
  }
  store()
  pass(60 * MINUTE)
  return { run, outbox, intervals }
}

it.each(oneInTurn([1, 7, 26]))(
  `${TRANSITIONS} random transitions: nothing is missing and nothing doubled (seed %i)`,
  (seed) => {
    const { run, outbox, intervals } = simulate(seed)

    // Every condition that lasted for its delay stands in a record: its own, or one that explains it.
    const children = [...new Map(run.children.map((child) => [`${child.alertId} ${child.object}`, child])).values()]
    const absences = children.flatMap((child) => [...(child.earlier ?? []).map((one) => ({ ...child, ...one })), child])
    const records = [...run.records(), ...absences]
    const byKey = Map.groupBy(records, ({ rule, object }) => `${rule} ${object}`)
    const missing = intervals.filter(({ rule, object, from, to }) => {
      const needMs = Math.max(RULE_DEFAULTS[rule].delayMinutes * MINUTE, 0)
      if (to - from < needMs) return false
      return !(byKey.get(`${rule} ${object}`) ?? []).some(
        (one) => one.startedAt <= from && (one.endedAt ?? to) >= to - ALERT.settleMs,
      )
    })
    expect(missing).toEqual([])

    // Members and times are counted apart.
    const byAlert = Map.groupBy(children, ({ alertId }) => alertId)
    const miscounted = run.records().filter(({ id, folded, times = 0 }) => {
      const own = byAlert.get(id) ?? []
      return own.length !== folded || own.reduce((sum, child) => sum + (child.times ?? 1), 0) !== times
    })
    expect(miscounted).toEqual([])

    // All is over, and whoever was notified of a beginning was notified of the end, once.
    expect(run.state.alerts.size + run.state.children.size + run.state.pending.size).toBe(0)
    for (const alert of run.records()) {
      const kinds = run.notices.filter((notice) => notice.alert.id === alert.id).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'recovery')).toHaveLength(1)
      expect(kinds.filter((kind) => kind === 'open').length).toBeLessThanOrEqual(1)
      expect(kinds.filter((kind) => kind === 'escalation').length).toBeLessThanOrEqual(1)
    }

    expect(run.records().length).toBeGreaterThan(1_000)

    // Every delivery reached its receiver, by itself or in a digest; a repeat carries the same id and text.
    expect(outbox.of('pending')).toEqual([])
    expect([...outbox.of('failed'), ...outbox.of('skipped')]).toEqual([])
    const tries = Map.groupBy(outbox.received, ({ lane, id }) => `${lane} ${id}`)
    for (const same of tries.values()) expect(new Set(same.map(({ title }) => title)).size).toBe(1)
    expect(
      outbox
        .of('sent')
        .filter(({ channel, target, id }) => !tries.has(`${target === '' ? channel : `${channel} ${target}`} ${id}`)),
    ).toEqual([])
    expect(outbox.received.some(({ id }) => id.endsWith('.digest'))).toBe(true)

    // No robot gets more than its limit in a minute, whatever is repeated.
    const robot = outbox.received.filter(({ lane }) => lane === 'webhook').map(({ at }) => at)
    for (const [i, at] of robot.entries()) expect((robot[i + 20] ?? Infinity) - at).toBeGreaterThanOrEqual(MINUTE)
  },
)
