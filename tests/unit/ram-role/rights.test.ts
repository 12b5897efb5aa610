import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { roleAuth } from '#contract/ram-role/index.ts'
import {
  checkNetworks,
  checkRights,
  readRights,
  toAuth,
  toColumns,
  toRights,
  checkUnused,
} from '#domain/ram-role/rights.ts'
import { checkRamQuota } from '#domain/ram/quota.ts'

const NONE = { create: 0, edit: 0, delete: 0 } as const
const nothing = {
  easylink: { router: NONE, network: { ...NONE, number: null } },
  monitor: { view: 0, ...NONE },
} as const

describe('rights of a role and their shape on the wire', () => {
  it.each(PERMISSIONS.map((flag) => [flag]))('%s is one flag, there and back', (flag) => {
    const auth = toAuth({ flags: [flag], networks: null })
    expect(JSON.stringify(auth).match(/1/g)).toHaveLength(1)
    expect(toRights(auth)).toEqual({ flags: [flag], networks: null })
  })
  it('all of them', () => {
    const all = { flags: [...PERMISSIONS], networks: null }
    expect(toRights(toAuth(all))).toEqual(all)
  })
  it.each([
    [null, null],
    [[], []],
    [
      ['2', '1', '2'],
      ['1', '2'],
    ],
  ])('the list %j is kept as %j: all, none, or each once', (sent, kept) => {
    const auth = { ...nothing, easylink: { ...nothing.easylink, network: { ...NONE, number: sent } } }
    const rights = toRights(roleAuth.parse(auth))
    expect(rights.networks).toEqual(kept)
    expect(readRights(toColumns(rights))).toEqual(rights)
  })
  it('a missing right is not granted, and an unknown one is not kept', () => {
    const sent = {
      easylink: { router: {}, network: { number: [], root: 1 } },
      monitor: { view: '1' },
      admin: { all: 1 },
    }
    expect(roleAuth.parse(sent)).toEqual({
      easylink: { router: NONE, network: { ...NONE, number: [] } },
      monitor: { view: 1, ...NONE },
    })
  })
  it.each([
    ['a list that is left out', { easylink: { router: {}, network: {} }, monitor: {} }],
    ['a flag that is neither 0 nor 1', { ...nothing, monitor: { view: 2 } }],
    ['one that is true', { ...nothing, monitor: { view: true } }],
    [
      '201 networks',
      { ...nothing, easylink: { router: {}, network: { number: Array.from({ length: 201 }, String) } } },
    ],
  ])('%s is refused', (_, auth) => expect(roleAuth.safeParse(auth).success).toBe(false))
})

describe('directory 5 · rules of a role', () => {
  it.each([
    [['network:create'], null, null],
    [['network:create'], ['1'], 'RAM_ROLE_LIMITED'],
    [['network:create'], [], 'RAM_ROLE_LIMITED'],
    [['network:edit', 'router:create'], ['1'], null],
  ] as const)('%j with %j: %s', (flags, networks, key) =>
    expect(checkRights({ flags, networks })?.key ?? null).toBe(key),
  )
  it.each([
    [null, null],
    [[], null],
    [['1', '2'], null],
    [['1', '3'], 'RAM_ROLE_NETWORK'],
  ] as const)('networks %j of 1 and 2: %s', (networks, key) =>
    expect(checkNetworks({ flags: [], networks }, new Set(['1', '2']))?.key ?? null).toBe(key),
  )
  it.each([
    [[], undefined],
    [['a'], '“a”'],
    [['a', 'b', 'c', 'd', 'e'], '“a”、“b”、“c”、“d”、“e”'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], '“a”、“b”、“c”、“d”、“e”等7个'],
  ])('deletion with %j: %s', (users, names) => expect(checkUnused(users)?.params['names']).toBe(names))
})

describe('directory 3 · room for a sub-account', () => {
  it.each([
    [0, 0, false],
    [0, 1, true],
    [1, 1, false],
    [3, 1, false],
  ])('%i of %i: %s', (count, max, fits) => expect(checkRamQuota({ count, max }) === null).toBe(fits))
})
