import { expect, it } from 'vitest'
import { type Counted, toComplaint } from '#infra/deploy/comparison.ts'

type Numbers = readonly [calls: number, faults: number, refusals: number, overloads: number]

const counted = ([calls, faults, refusals, overloads]: Numbers): Counted => {
  return { release: 'v', calls, faults, refusals, overloads }
}

/** Counters of both releases over the same two minutes. */
const ROWS: readonly (readonly [name: string, fresh: Numbers, old: Numbers | null, worse: string | null])[] = [
  ['nothing happens', [100, 0, 0, 0], [1_900, 0, 0, 0], null],
  ['no call yet', [0, 0, 0, 0], [1_900, 0, 0, 0], null],
  ['the same share of everything', [1_000, 20, 200, 30], [19_000, 380, 3_800, 570], null],
  ['twice the faults exactly', [1_000, 40, 0, 0], [1_000, 20, 0, 0], null],
  ['over twice the faults', [1_000, 41, 0, 0], [1_000, 20, 0, 0], 'faults'],
  ['over twice the faults, but fewer than 20', [100, 19, 0, 0], [1_900, 1, 0, 0], null],
  ['20 faults, and the old one has none', [1_000, 20, 0, 0], [19_000, 0, 0, 0], 'faults'],
  ['more faults of many more calls', [19_000, 100, 0, 0], [1_000, 10, 0, 0], null],
  ['fewer faults of far fewer calls', [1_000, 30, 0, 0], [19_000, 200, 0, 0], 'faults'],
  ['over twice the refusals', [1_000, 0, 300, 0], [1_000, 0, 149, 0], 'refusals'],
  ['over twice the overloads', [1_000, 0, 0, 25], [1_000, 0, 0, 12], 'overloads'],
  ['two kinds', [1_000, 30, 0, 90], [1_000, 0, 0, 2], 'faults, overloads'],
  ['better than the old one', [1_000, 20, 20, 20], [1_000, 400, 400, 400], null],
  ['the old one has no call', [1_000, 500, 500, 500], [0, 0, 0, 0], null],
  ['the old one is not counted', [1_000, 500, 0, 0], null, null],
]

it.each(ROWS)('%s', (_, fresh, old, worse) => {
  const complaint = toComplaint({ fresh: counted(fresh), old: old && counted(old) })
  const kinds = complaint?.match(/\b(faults|refusals|overloads)\b/g)?.join(', ') ?? null
  expect(kinds).toBe(worse)
})

it('says what is worse with the numbers of both', () => {
  const complaint = toComplaint({ fresh: counted([1_000, 0, 300, 0]), old: counted([4_000, 0, 8, 0]) })
  expect(complaint).toBe('300 refusals of 1000 calls, the old one 8 of 4000')
})
