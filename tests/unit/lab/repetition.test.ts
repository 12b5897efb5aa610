import { expect, it } from 'vitest'
import { type Result, runOnceMore } from '#infra/lab/repetition.ts'

const toCheck = (label: string) => ({ label, isNeeded: label === '0' })
const checks = ['0', '1', '12', '17'].map(toCheck)

/** Runs with the labels that fail on each bed; `null` is a bed that does not stand. */
async function runWith(...beds: readonly (readonly string[] | null)[]) {
  const runs: string[] = []
  const results = await runOnceMore(checks, async (some, isLast) => {
    const failing = beds[runs.length] ?? null
    runs.push(`${some.map(({ label }) => label).join()}${isLast ? ', last' : ''}`)
    return some.map(({ label }): Result => ({ label, isPassed: failing !== null && !failing.includes(label) }))
  })
  return { runs, failed: results.flatMap(({ label, isPassed }) => (isPassed ? [] : [label])), count: results.length }
}

it('checks that pass run once', async () => {
  expect(await runWith([])).toEqual({ runs: ['0,1,12,17'], failed: [], count: 4 })
})

it('a check that fails is repeated on a fresh bed, after the one that every bed needs, and its second result counts', async () => {
  expect(await runWith(['12'], [])).toEqual({ runs: ['0,1,12,17', '0,12, last'], failed: [], count: 4 })
})

it('a check that fails twice has failed, and none is tried a third time', async () => {
  expect(await runWith(['1', '17'], ['17'])).toEqual({ runs: ['0,1,12,17', '0,1,17, last'], failed: ['17'], count: 4 })
})

it('a bed that does not stand is built once more, and the second fails what ran on it', async () => {
  expect(await runWith(null, [])).toEqual({ runs: ['0,1,12,17', '0,1,12,17, last'], failed: [], count: 4 })
  expect((await runWith(['12'], null)).failed).toEqual(['0', '12'])
})
