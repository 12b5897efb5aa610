import { expect, it, vi } from 'vitest'
import { findOffenders } from '#tests/support/offenders.ts'

it('lists the rows that fail, in order, with what is there and what should be', async () => {
  const offenders = await findOffenders([
    ['one', 1],
    ['two', 3],
    ['three', 1],
  ])((word, length) => expect(word).toHaveLength(length))
  expect(offenders).toEqual([
    `"one" · 1 → expected 'one' to have a length of 1 but got 3`,
    `"three" · 1 → expected 'three' to have a length of 1 but got 5`,
  ])
})

it('spreads rows that are arrays, and hands on any other row as it is', async () => {
  const seen: unknown[] = []
  await findOffenders([[1, 2]])((...values) => void seen.push(values))
  await findOffenders(['a', { b: 1 }])((...values) => void seen.push(values))
  expect(seen).toEqual([[1, 2], ['a'], [{ b: 1 }]])
})

it('shows both values where the message of an assertion shortens them', async () => {
  const network = { name: 'N'.repeat(60), members: [1, 2, 3] }
  const other = { ...network, members: [] }
  const [line] = await findOffenders([network])((row) => expect(row).toEqual(other))
  expect(line).toContain(`: is ${JSON.stringify(network)}, should be ${JSON.stringify(other)}`)
})

it('shows of long values the part that differs', async () => {
  const rows = Array.from({ length: 500 }, (_, n) => n)
  const [line] = await findOffenders([{ rows }])(() => expect([...rows, 'left']).toEqual([...rows, 'right']))
  expect(line).toMatch(/: is ….*,499,"left"\], should be ….*,499,"right"\]$/)
  expect(line!.length).toBeLessThan(1_500)
})

it('goes on behind a row that throws or rejects', async () => {
  const offenders = await findOffenders(['throws', 'rejects', 'passes', 'throws text'])(async (row) => {
    if (row === 'throws') throw new TypeError('no such key')
    if (row === 'rejects') await Promise.reject(new Error('closed'))
    if (row === 'throws text') throw row
  })
  expect(offenders).toEqual([
    '"throws" → TypeError: no such key',
    '"rejects" → Error: closed',
    '"throws text" → threw "throws text"',
  ])
})

it('a table without rows is an offender', async () => {
  expect(await findOffenders([])(() => {})).toEqual(['the table has no rows'])
})

it('a row that hangs is named, and the rest is counted', async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const offenders = await import('../support/offenders.ts')
  const found = offenders.findOffenders(['passes', 'hangs', 'a', 'b'])((row) =>
    row === 'hangs' ? new Promise(() => {}) : null,
  )
  await vi.advanceTimersByTimeAsync(150_000)
  vi.useRealTimers()
  expect(await found).toEqual(['"hangs" → Error: the table took more than 150 s', '2 more rows were not tried'])
})

it('values that JSON does not hold are named by their class, and functions left out', async () => {
  const circular: { self?: object } = {}
  circular.self = circular
  const rows = [[undefined, Number.NaN, new Uint8Array(2), new Set(['a']), { at: 1n }, () => {}, circular]]
  const offenders = await findOffenders(rows)(() => expect.fail('never'))
  expect(offenders).toEqual(['undefined · "NaN" · "<Uint8Array>" · ["a"] · {"at":"1"} · [object Object] → never'])
})
