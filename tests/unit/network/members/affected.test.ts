import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { affectedRouters, filterCenters } from '#domain/network/members/affected.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import type { DocumentMember } from '#domain/network/compile/rows.ts'
import { DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { createMember, memberRows } from '../members.ts'

const center = (n: number) => createMember({ routerName: `C${n}`, routerId: n, memberType: 'center' })
const point = (n: number) => createMember({ routerName: `P${n}`, routerId: n })
const software = (n: number) => createMember({ routerName: `S${n}`, routerId: n, routerType: 2 })
const ids = (routers: readonly { routerId: number }[]) => routers.map(({ routerId }) => routerId).toSorted()

describe('design 8 · routers whose document a change moves', () => {
  const all = [center(1), center(2), point(3), point(4), software(5)]
  it.each([
    ['a point that comes: itself and the centres', all.filter((m) => m.routerId !== 3), all, [1, 2, 3]],
    ['a point that goes', all, all.filter((m) => m.routerId !== 3), [1, 2, 3]],
    ['software that comes: the centres', all.filter((m) => m.routerId !== 5), all, [1, 2]],
    ['a centre that goes: itself and the points', all, all.filter((m) => m.routerId !== 2), [2, 3, 4]],
    [
      'a point that becomes a centre: everybody',
      all,
      all.map((m) => (m.routerId === 3 ? { ...m, memberType: 'center' as const } : m)),
      [1, 2, 3, 4],
    ],
    ['nobody, where nothing changes', all, all, []],
  ])('%s', (_, before, after, expected) => expect(ids(affectedRouters(before, after))).toEqual(expected))

  it('are exactly those whose compiled document differs', () => {
    fc.assert(
      fc.property(memberRows, memberRows, (before, after) => {
        const kept = new Map(before.map((m) => [m.routerName, m]))
        // a router is hardware or software for good; who stays in its kind keeps its addresses and its endpoint
        const now = after
          .filter((m) => (kept.get(m.routerName)?.routerType ?? m.routerType) === m.routerType)
          .map((m) => (kept.get(m.routerName)?.memberType === m.memberType ? kept.get(m.routerName)! : m))
        const changed = (name: string) => compileDocument(name, before) !== compileDocument(name, now)
        const names = new Set([...before, ...now].filter((m) => m.routerType === 1).map((m) => m.routerName))
        const found = affectedRouters(before.map(withId), now.map(withId)).map((m) => m.routerName)
        // a removed router compiles to the empty document
        expect([...names].filter(changed).toSorted()).toEqual(found.toSorted())
      }),
    )
  })

  it('centres that name software', () => expect(ids(filterCenters(all))).toEqual([1, 2]))
})

const withId = (m: DocumentMember) => ({ ...m, routerId: Number(m.routerName.slice(1)) })

function compileDocument(name: string, members: readonly DocumentMember[]): string {
  const networks = members.some((m) => m.routerName === name)
    ? [{ networkNumber: '1', ciphers: 'default' as const, secret: 's', settings: DEFAULT_NETWORK_SETTINGS, members }]
    : []
  return canonicalJson(
    compileRouter(name, networks, (secret, link) =>
      createHash('sha256')
        .update(secret + link)
        .digest('hex'),
    ),
  )
}
