import { expect, it } from 'vitest'
import { JOB } from '#contract/network/limits.ts'
import { toDataText, withDataDropped } from '#domain/network/members/job-data.ts'

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])

it('data is kept up to its length and depth, and of no depth overflows the stack', () => {
  const longest = 'x'.repeat(JOB.dataMax - 2)
  expect(toDataText(longest)).toBe(JSON.stringify(longest))
  expect(toDataText(`${longest}x`)).toBeNull()
  expect(toDataText(nested(JOB.dataLevels))).toHaveLength(2 * JOB.dataLevels + 1)
  expect(toDataText(nested(JOB.dataLevels + 1))).toBeNull()
  expect(toDataText(JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)))).toBeNull()
  expect(toDataText({ sessions: 2, links: ['N1:a>b', null, '\u0000\ud800'] })).toBe(
    '{"sessions":2,"links":["N1:a>b",null,"\\u0000\\ud800"]}',
  )
})

it('the reason of the device stays beside that of the dropped data', () => {
  expect([withDataDropped(''), withDataDropped('没有连接')]).toEqual([
    '结果数据过大，未保留',
    '没有连接；结果数据过大，未保留',
  ])
})
