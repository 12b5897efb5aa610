import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipText } from '#contract/kernel/ipv4.ts'
import { type PrefixRow, prefixRow } from '#contract/network/fields.ts'
import { parsePrefixText, toPrefixText } from '#domain/network/routing/prefix-text.ts'
import { findCounterpart, toRouting, priorityOf, checkDns, gainsAdvanced } from '#domain/network/routing/routing.ts'
import { createMember } from './members.ts'

const row = (over: Partial<PrefixRow> = {}): PrefixRow => ({
  ip: '10.0.0.0',
  mask: 8,
  name: '',
  permission: 'permit',
  ge: null,
  le: 32,
  ...over,
})

describe('network 2 · prefix rows as text', () => {
  const name = fc
    .string({ unit: fc.constantFrom('a', '总', ' ', '#', ',', '8', 'g', 'e', 'permit', '/'), maxLength: 8 })
    .map((text) => text.replace(/ +/g, ' ').trim())
  const rows = fc.array(
    fc
      .record({
        ip: fc.integer({ min: 2 ** 24, max: 2 ** 32 - 1 }).map(ipText),
        mask: fc.integer({ min: 8, max: 32 }),
        name,
        permission: fc.constantFrom('permit', 'deny'),
        ge: fc.option(fc.integer({ min: 9, max: 32 })),
        le: fc.integer({ min: 8, max: 32 }),
      })
      .filter((value) => prefixRow.safeParse(value).success),
  )

  it('copied rows are read as the same rows', () => {
    fc.assert(
      fc.property(rows, (list) => {
        expect(parsePrefixText(toPrefixText(list as PrefixRow[]))).toEqual({ rows: list, wrong: [] })
      }),
    )
  })

  it.each<[string, Partial<PrefixRow>]>([
    ['10.0.0.0/8', {}],
    ['10.0.0.0/8 总部', { name: '总部' }],
    ['10.0.0.0/8 # 总部 机房', { name: '总部 机房' }],
    ['10.0.0.0\t255.0.0.0\t总部', { name: '总部' }],
    ['10.0.0.0, 8, 总部', { name: '总部' }],
    ['10.0.0.0/8 ge 16 le 24', { ge: 16, le: 24 }],
    ['deny 10.0.0.0/8 le 24 # x', { permission: 'deny', le: 24, name: 'x' }],
    ['  10.0.0.0 / 8  DENY  ', { permission: 'deny' }],
    ['10.0.0.0/8 general', { name: 'general' }],
  ])('%j', (line, expected) => {
    expect(parsePrefixText(line)).toEqual({ rows: [row(expected)], wrong: [] })
  })

  it('names the lines that are none, and skips empty ones and remarks', () => {
    const text = '10.0.0.0/8\n\n# 备注\nabc\n10.1.0.0\n10.2.0.0 255.0.255.0\r\n10.300.0.0/8'
    const parsed = parsePrefixText(text)
    expect(parsed.rows).toEqual([row()])
    expect(parsed.wrong.map(({ line }) => line)).toEqual([4, 5, 6, 7])
  })
})

describe('network 6 · advanced fields of prefix rows', () => {
  const advanced = row({ ge: 16 })
  it.each<[string, PrefixRow[], PrefixRow[], boolean]>([
    ['basic rows', [row()], [], false],
    ['a new advanced row', [advanced], [], true],
    ['one that stands', [row({ ip: '11.0.0.0' }), advanced], [advanced], false],
    ['one that stands, with another name', [{ ...advanced, name: 'x' }], [advanced], false],
    ['one that changes', [row({ ge: 17 })], [advanced], true],
    ['a denied prefix', [row({ permission: 'deny' })], [], true],
  ])('%s', (_, next, before, expected) => expect(gainsAdvanced(next, before)).toBe(expected))
})

describe('network 5 · DNS entries', () => {
  it.each([
    [2, 0, 2, null],
    [3, 0, 2, 'DNS_LIMIT_REACHED'],
    [3, 4, 2, null],
    [4, 4, 2, 'DNS_LIMIT_REACHED'],
  ])('%i after %i of at most %i: %s', (next, before, quantity, expected) => {
    const list = (n: number) => Array.from({ length: n }, (_, i) => `10.0.0.${i + 1}`)
    expect(checkDns(list(next), list(before), quantity)?.key ?? null).toBe(expected)
  })
})

describe('network 2 · routing', () => {
  const members = [
    createMember({ routerName: 'C1', memberType: 'center' }),
    createMember({ routerName: 'C2', memberType: 'center' }),
    createMember({ routerName: 'P3' }),
  ]
  const shared = { type: 1, main: null, secondary: null } as const
  const two = { type: 2, main: 1, secondary: 2 } as const
  const form = (type: 1 | 2, main_router = '', secondary_router = '') => ({ type, main_router, secondary_router })

  it.each([
    ['type 2 of two centres', form(2, 'C1', 'c2'), members, shared, two, null],
    ['a point', form(2, 'P3', 'C2'), members, shared, shared, ['ROUTING_NO_CENTER', 'main_router']],
    [
      'one centre in two spellings',
      form(2, 'C1', 'c1'),
      members,
      shared,
      shared,
      ['INPUT_INVALID', 'secondary_router'],
    ],
    ['an unknown name', form(2, 'C1', 'X'), members, shared, shared, ['ROUTING_NO_CENTER', 'secondary_router']],
    ['one centre', form(2, 'C1', 'C2'), members.slice(1), shared, shared, ['ROUTING_NEEDS_TWO', undefined]],
    ['back to type 1', form(1), members.slice(1), two, shared, null],
  ])('%s', (_, sent, present, before, routing, refused) => {
    const result = toRouting(sent, present, before)
    expect(result.routing).toEqual(routing)
    expect(result.refused && [result.refused.key, result.refused.field]).toEqual(refused)
  })

  it.each([
    ['C1', 'C2', 'C2'],
    ['C1', 'C1', 'C2'],
    ['C1', '', 'C2'],
    ['C2', 'C2', 'C1'],
    ['C1', 'P3', 'C2'],
  ])('choosing %j beside %j selects %j as its counterpart', (chosen, present, expected) => {
    expect(findCounterpart(chosen, present, ['C1', 'C2'])).toBe(expected)
  })

  it('metrics are shown as priority 1 to 5', () => {
    expect([30, 60, 90, 120, 150].map(priorityOf)).toEqual([1, 2, 3, 4, 5])
  })
})
