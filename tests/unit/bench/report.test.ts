import { describe, expect, it } from 'vitest'
import { type Finding, ROUNDS, inRounds, judge } from '#infra/bench/report.ts'

const finding = (rounds: readonly number[], must: NonNullable<Finding['must']>, budget = 10): Finding => {
  const value = rounds.toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0
  return { what: 'figure', unit: 'ms', value, rounds, must, budget }
}

describe('the verdict on a budget of the bench', () => {
  it('is met or missed where all rounds are on the same side', () => {
    expect(judge(finding([7, 8, 9, 9, 10], 'stay below'))).toBe('met')
    expect(judge(finding([11, 12, 40, 12, 11], 'stay below'))).toBe('missed')
    expect(judge(finding([10, 11, 12, 13, 90], 'reach'))).toBe('met')
    expect(judge(finding([1, 2, 3, 4, 5], 'reach'))).toBe('missed')
  })

  it('is neither where a round moves from the median by more than its margin', () => {
    expect(judge(finding([7, 8, 9, 9, 11], 'stay below'))).toBe('unclear')
    expect(judge(finding([9, 11, 12, 13, 14], 'stay below'))).toBe('unclear')
    expect(judge(finding([9, 11, 12, 13, 14], 'reach'))).toBe('unclear')
  })

  it('is missed where a single round differs from a count that is always the same', () => {
    expect(judge(finding([0, 0, 1, 0, 0], 'always be', 0))).toBe('missed')
    expect(judge(finding([0, 0, 0, 0, 0], 'always be', 0))).toBe('met')
  })

  it('is that of the median where the rounds differ by no more than the margin of the figure, and else neither', () => {
    const within = (rounds: readonly number[]) => judge({ ...finding(rounds, 'stay below'), margin: 0.25 })
    expect(within([9, 9.5, 10, 10.5, 11])).toBe('met')
    expect(within([9.5, 10, 10.5, 11, 12])).toBe('missed')
    expect(within([11, 12, 12, 12, 13])).toBe('missed')
    expect(within([11, 12, 12, 12, 40])).toBe('unclear')
    expect(within([1, 2, 3, 4, 10])).toBe('met')
    expect(within([8, 9, 10, 11, 12])).toBe('unclear')
  })

  it('is that of the only value where there are no rounds, and none without a budget', () => {
    expect(judge({ what: 'bytes', unit: 'kB', value: 11, budget: 10 })).toBe('missed')
    expect(judge({ what: 'bytes', unit: 'kB', value: 11 })).toBeNull()
  })
})

it('a figure of several rounds is their median, with the note of that round', async () => {
  const values = [5, 1, 4, 2, 3]
  const [measured] = await inRounds(async (round) => {
    const value = values[round] ?? 0
    return [{ what: 'figure', unit: 'ms', value, note: `round of ${value}` }]
  })
  expect(values).toHaveLength(ROUNDS)
  expect(measured).toEqual({ what: 'figure', unit: 'ms', value: 3, rounds: values, note: 'round of 3' })
})
