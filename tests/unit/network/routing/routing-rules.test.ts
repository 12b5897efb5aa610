import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignAddress, ipText, isRouted } from '#contract/kernel/ipv4.ts'
import { type PrefixRow, prefixForm, prefixRow, prefixRows } from '#contract/network/fields.ts'
import { staticRoutesForm } from '#contract/router/hardware.ts'
import { blockingRow } from '#domain/network/routing/prefix-rows.ts'
import { parsePrefixText, toPrefixText } from '#domain/network/routing/prefix-text.ts'
import {
  findContained,
  gainsAdvanced,
  findCounterpart,
  toRouting,
  priorityOf,
  checkDns,
} from '#domain/network/routing/routing.ts'
import { createMember } from '../members.ts'

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
    ['\u202D１０。０．０.0／８\u202C 总部（北京）', { name: '总部（北京）' }],
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

describe('network 5 · rows inside another row', () => {
  const inner = row({ ip: '10.1.0.0', mask: 16 })
  const denied = row({ ip: '10.1.2.0', mask: 24, permission: 'deny' })
  it.each<[string, PrefixRow[], [row: number, within: number][]]>([
    ['behind it', [row(), inner], [[1, 0]]],
    ['before it', [inner, row()], [[0, 1]]],
    ['with the other verdict', [{ ...inner, permission: 'deny' }, row()], []],
    ['beside it', [row(), row({ ip: '11.0.0.0' })], []],
    ['with longer routes than it', [row({ le: 24 }), inner], []],
    ['with shorter routes than it', [row({ ge: 24 }), inner], []],
    ['with a denied part between them', [inner, denied, row()], []],
    ['behind it with a denied part between them', [row(), denied, inner], [[2, 0]]],
    ['twice', [row(), row()], [[1, 0]]],
    [
      'in a chain',
      [row(), inner, row({ ip: '10.1.2.0', mask: 24 })],
      [
        [1, 0],
        [2, 0],
      ],
    ],
  ])('%s', (_, rows, found) => expect(findContained(rows).map((one) => [one.row, one.within])).toEqual(found))
  it('a row that is named changes nothing when it goes', () => {
    const someRow = fc
      .record({
        ip: fc.integer({ min: 0, max: 7 }).map((n) => ipText(2 ** 24 * 10 + n * 2 ** 13)),
        mask: fc.integer({ min: 14, max: 19 }),
        permission: fc.constantFrom('permit' as const, 'deny' as const),
        le: fc.integer({ min: 19, max: 22 }),
      })
      .map((over) => row(over))
    const routes = Array.from({ length: 64 }, (_, n) =>
      [16, 18, 19, 20, 22].map((mask) => ({ ip: ipText(2 ** 24 * 10 + n * 2 ** 10), mask })),
    )
      .flat()
      .map(({ ip, mask }) => `${alignAddress(ip, mask)}/${mask}`)
    const verdicts = (rows: readonly PrefixRow[]) => routes.map((route) => blockingRow(rows, route) === null)
    fc.assert(
      fc.property(fc.array(someRow, { minLength: 2, maxLength: 5 }), (rows) => {
        for (const { row: at } of findContained(rows)) expect(verdicts(rows.toSpliced(at, 1))).toEqual(verdicts(rows))
      }),
    )
  })
})

it.each([
  ['127.0.0.0', 8, false],
  ['127.1.0.0', 16, false],
  ['169.254.0.0', 16, false],
  ['169.254.7.1', 32, false],
  ['224.0.0.0', 4, false],
  ['239.1.2.3', 32, false],
  ['126.0.0.0', 7, true],
  ['169.0.0.0', 8, true],
  ['169.255.0.0', 16, true],
  ['192.0.0.0', 2, true],
  ['10.0.0.0', 8, true],
])('network 5 · %s/%i as a prefix: %s', (ip, mask, isTaken) => {
  expect(isRouted(ip, mask)).toBe(isTaken)
  if (mask < 8) return
  const form = prefixForm.safeParse([{ ip, mask }])
  expect(form.success).toBe(isTaken)
  expect(form.error?.issues.map(({ path }) => path) ?? [[0, 'ip']]).toEqual([[0, 'ip']])
  expect(staticRoutesForm.safeParse({ routes: [{ prefix: ip, mask, via: '10.0.0.1' }] }).success).toBe(isTaken)
})

it('network 5 · stored rows of earlier versions stay readable', () => {
  expect(prefixRows.safeParse([{ ip: '127.0.0.0', mask: 8 }]).success).toBe(true)
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
