import { describe, expect, it } from 'vitest'
import { mergeEdits } from '#ui/form/merge-edits.ts'

const row = (router_name: string, port: number | null = null) => ({ router_name, port })
const prefix = (ip: string, mask: number) => ({ ip, mask })

describe('the merge of edits with what somebody else has saved', () => {
  it('keeps what was edited, and takes the rest from the later save', () => {
    const base = { gateway: '', mask: 20, pool: { start: 'a', end: 'b' } }
    const mine = { gateway: '10.0.0.0', mask: 20, pool: { start: 'x', end: 'b' } }
    const theirs = { gateway: '10.9.0.0', mask: 24, pool: { start: 'a', end: 'y' } }
    expect(mergeEdits(base, mine, theirs)).toEqual({ gateway: '10.0.0.0', mask: 24, pool: { start: 'x', end: 'y' } })
  })

  it('merges a list of fixed places one by one', () => {
    expect(mergeEdits(['1', ''], ['1', '9'], ['2', ''])).toEqual(['2', '9'])
  })

  it('finds rows of a member by its name', () => {
    const base = [row('a'), row('b')]
    expect(mergeEdits(base, [row('a', 5), row('b')], [row('a'), row('b', 7)])).toEqual([row('a', 5), row('b', 7)])
  })

  it.each([
    ['both added', [prefix('a', 8), prefix('b', 8)], [prefix('a', 8), prefix('c', 8)], ['a', 'b', 'c']],
    ['one removed what the other left', [], [prefix('a', 8), prefix('c', 8)], ['c']],
    ['the other removed what was left here', [prefix('a', 8), prefix('b', 8)], [], ['b']],
    ['the other removed what was changed here', [prefix('a', 16)], [], ['a']],
    ['both changed the same row: both stay, to be decided', [prefix('a', 16)], [prefix('a', 24)], ['a', 'a']],
  ])('of a list of rows where %s', (_, mine, theirs, expected) => {
    expect((mergeEdits([prefix('a', 8)], mine, theirs) as { ip: string }[]).map(({ ip }) => ip)).toEqual(expected)
  })
})
