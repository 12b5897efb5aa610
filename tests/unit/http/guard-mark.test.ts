import { expect, it } from 'vitest'
import { ERRORS, Refusal } from '#contract/kernel/errors.ts'
import { PERSON_WRITE_BUDGET, WRITE_BUDGET } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { encodeFullWindow, encodeRefusal, parseGuardFailure } from '#db/guard.ts'
import { writeBudgetStatements } from '#db/rate-limit.ts'

const failWith = (path: string) =>
  parseGuardFailure(new Error(`D1_ERROR: bad JSON path: '${path.replaceAll("'", "''")}': SQLITE_ERROR`))

it.each([
  '总部',
  "it's ''quoted''",
  'a"b\\c',
  '}!',
  '!TOKEN_BAD{}!',
  '!FAULT{"a":1}!',
  '!WINDOW_FULL 1 2!',
  '$.{}[]',
  '\u2028\u2029\u0000',
])('a refusal that contains %j round-trips', (name) => {
  const found = violation('MEMBER_TWICE', { name })
  const error = failWith(encodeRefusal(found))
  expect(error).toBeInstanceOf(Refusal)
  expect((error as Refusal).violation).toEqual(found)
})

it.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [40_000, 40],
  [0, 1],
])('a full window that ends in %i ms is refused for %i s', (ms, seconds) => {
  const now = 1_700_000_000_000
  const error = failWith(`${encodeFullWindow(now)}${now + ms}!`)
  expect((error as Refusal).violation).toEqual(violation('TOO_OFTEN', { retry_after: seconds }))
})

it('the statements of a rate name no refusal and none of its parameters', () => {
  const statements = writeBudgetStatements('session', 'main:1', 1_700_000_000_000)
  for (const [i, { limit }] of [WRITE_BUDGET, PERSON_WRITE_BUDGET].entries())
    expect(statements[i]?.params).toContain(limit)
  const text = statements.flatMap(({ sql, params }) => [sql, ...params]).join(' ')
  expect(Object.keys(ERRORS).filter((key) => text.includes(key))).toEqual([])
  expect(text).not.toContain('retry_after')
})
