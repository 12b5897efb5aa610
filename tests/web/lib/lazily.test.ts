import { expect, it, vi } from 'vitest'
import { lazily } from '#lib/lazily.ts'

it('computes a value when it is first asked for, and once, an undefined one too', () => {
  const compute = vi.fn<() => undefined>()
  const value = lazily(compute)
  expect(compute).not.toHaveBeenCalled()
  expect([value(), value()]).toEqual([undefined, undefined])
  expect(compute).toHaveBeenCalledTimes(1)
})
