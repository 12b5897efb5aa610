import { expect, it } from 'vitest'
import { StuckSessions } from '#infra/agent/drivers/linux/frr/stuck-sessions.ts'

const many = (count: number) => new Set(Array.from({ length: count }, (_, n) => `100.64.0.${n}`))

it('a session that is missing for ten seconds begins anew, and again after ten more', () => {
  const sessions = new StuckSessions()
  const times = [0, 9_999, 10_000, 15_000, 20_000]
  expect(times.map((now) => sessions.take(many(1), now).length)).toEqual([0, 0, 1, 0, 1])
})

it('one that came meanwhile counts from its next loss on', () => {
  const sessions = new StuckSessions()
  sessions.take(many(1), 0)
  sessions.take(new Set(), 5_000)
  expect(sessions.take(many(1), 11_000)).toEqual([])
  expect(sessions.take(many(1), 21_000)).toHaveLength(1)
})

it('few begin anew at once, and each has its turn', () => {
  const sessions = new StuckSessions()
  sessions.take(many(20), 0)
  const [first, second] = [sessions.take(many(20), 10_000), sessions.take(many(20), 10_500)]
  expect([first.length, second.length]).toEqual([16, 4])
  expect(new Set([...first, ...second]).size).toBe(20)
})
