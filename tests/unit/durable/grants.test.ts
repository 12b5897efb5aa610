import { expect, it } from 'vitest'
import { coversAnyNetwork } from '#contract/kernel/permissions.ts'

it('a limited sub-account sees members of its networks only, one that is in none not at all', () => {
  const members = { a: ['n1'], b: ['n2'], c: ['n2', 'n1'], d: [] }
  const seenBy = (networks: string[] | null) =>
    Object.entries(members)
      .filter(([, numbers]) => coversAnyNetwork({ kind: 'ram', flags: [], networks }, numbers))
      .map(([name]) => name)
  expect(seenBy(null)).toEqual(['a', 'b', 'c', 'd'])
  expect(seenBy(['n1'])).toEqual(['a', 'c'])
  expect(seenBy([])).toEqual([])
})
