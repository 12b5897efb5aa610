import { expect, it, vi } from 'vitest'
import { watchInterfaces } from '#infra/agent/drivers/linux/interface-watch.ts'

it('a change of interfaces is noticed once; an unreadable list is none', async () => {
  const states = ['a', 'a', new Error('unreadable'), 'a', 'b', 'b', 'b']
  let reads = 0
  let changes = 0
  const read = () => {
    const state = states[Math.min(reads++, states.length - 1)]!
    return state instanceof Error ? Promise.reject(state) : Promise.resolve(state)
  }
  const watch = watchInterfaces(() => (changes += 1), read, 1)
  await vi.waitFor(() => expect(reads).toBeGreaterThan(states.length + 2))
  watch.close()
  expect(changes).toBe(1)
})
