import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import {
  type SettingValues,
  addedNeeds,
  applySettings,
  differingSettings,
  centersFirst,
  movedDocuments,
} from '#domain/network/history/setting-change.ts'
import { NOT_REPORTED, memberRows } from './members.ts'
import { DEFAULT_ROUTE_METRICS } from '#contract/network/limits.ts'

const base = { networkNumber: 'N1', secret: 'ab'.repeat(32), settings: DEFAULT_NETWORK_SETTINGS } as const
const network: fc.Arbitrary<NetworkRows> = fc
  .record({ ciphers: fc.constantFrom('default' as const, 'sm' as const), members: memberRows })
  .map((rows) => ({ ...base, ...rows }))

/** One setting of each reach: all members, the centres, one member. */
const changes = ({ members }: NetworkRows): fc.Arbitrary<SettingValues> => {
  const ids = members.map((m) => m.routerId)
  const ofMember: fc.Arbitrary<SettingValues>[] =
    ids.length === 0
      ? []
      : [
          fc
            .record({ routerId: fc.constantFrom(...ids), metric: fc.constantFrom(...DEFAULT_ROUTE_METRICS) })
            .map(({ routerId, metric }) => ({
              members: { default_route: [{ routerId, value: { mode: 1 as const, metric } }] },
            })),
        ]
  return fc.oneof(
    fc.constantFrom<SettingValues>({ ciphers: 'sm' }, { ciphers: 'default' }),
    fc.array(fc.ipV4(), { maxLength: 2 }).map((dns) => ({ network: { dns } })),
    ...ofMember,
  )
}

const documentOf = (rows: NetworkRows, name: string) =>
  canonicalJson(compileRouter(name, [rows], () => '0'.repeat(32)).networks)

describe('network 7 · documents that a setting moves', () => {
  it('is nothing, and nothing is compiled, where no value changes', () => {
    const rows = { ...base, ciphers: 'default' as const, members: [], pointLinks: [] }
    expect(applySettings(rows, { ciphers: 'default', network: {}, members: {} })).toBe(rows)
    expect(applySettings({ ...base, ciphers: 'default', members: [] }, {}).pointLinks).toBeUndefined()
    expect(applySettings({ ...base, ciphers: 'default', members: [] }, { pointLinks: [] }).pointLinks).toEqual([])
  })

  it('is every router whose document differs after it, and no other', () => {
    fc.assert(
      fc.property(
        network.chain((before) => changes(before).map((values) => ({ before, after: applySettings(before, values) }))),
        ({ before, after }) => {
          const moved = [...movedDocuments(before, after)].flat().map(({ routerId }) => routerId)
          const differing = before.members.filter(
            ({ routerType, routerName }) =>
              routerType === 1 && documentOf(before, routerName) !== documentOf(after, routerName),
          )
          expect(moved.toSorted()).toEqual(differing.map(({ routerId }) => routerId).toSorted())
        },
      ),
    )
  })

  const member = (routerId: number, memberType: 'center' | 'point', routerType: 1 | 2 = 1): DocumentMember => ({
    ...NOT_REPORTED,
    routerId,
    routerName: `R${routerId}`,
    routerType,
    memberType,
    segmentIndex: memberType === 'center' ? routerId : null,
    host: routerId + 1,
    endpoint: null,
  })
  const rows: NetworkRows = {
    ...base,
    ciphers: 'default',
    members: [member(1, 'center'), member(2, 'point'), member(3, 'point', 2)],
  }

  it('is nothing where the values are those that stand', () => {
    expect([...movedDocuments(rows, applySettings(rows, { ciphers: 'default' }))]).toEqual([])
    const same = { network: { dns: [] }, members: { quagga: [{ routerId: 2, value: { enable: 0 as const } }] } }
    expect(differingSettings(same, rows.settings, () => DEFAULT_MEMBER_SETTINGS)).toEqual({ network: {}, members: {} })
  })

  it('comes in portions: each centre for itself, its document has a link to every member', () => {
    const members = [member(1, 'center'), ...Array.from({ length: 20 }, (_, i) => member(i + 2, 'point'))]
    const before = { ...rows, members: [...members, member(99, 'center')] }
    const portions = [...movedDocuments(before, applySettings(before, { ciphers: 'sm' }))]
    const ids = portions.map((portion) => portion.map(({ routerId }) => routerId))
    expect(ids.slice(0, 2)).toEqual([[1], [99]])
    expect(ids.slice(2).map(({ length }) => length)).toEqual([16, 4])
  })

  it('names what each device must carry that it did not need before', () => {
    const after = applySettings(rows, { ciphers: 'sm' })
    expect(addedNeeds([...movedDocuments(rows, after)].flat())).toEqual([
      { routerId: 1, needs: ['ciphers:sm'] },
      { routerId: 2, needs: ['ciphers:sm'] },
    ])
    expect(addedNeeds([...movedDocuments(after, rows)].flat())).toEqual([])
  })

  it('takes a member that joins or leaves for a document that comes or goes', () => {
    const without = { ...rows, members: rows.members.slice(0, 1) }
    const [center, point] = [...movedDocuments(rows, without)].flat()
    expect(center?.after?.members).toEqual([{ router_name: 'R1', member_type: 'center' }])
    expect(point).toMatchObject({ routerId: 2, after: null })
  })
})

it('centres are pushed before the others, else in their order', () => {
  const members = [1, 2, 3, 4].map((routerId) => ({ routerId, memberType: routerId > 2 ? 'center' : 'point' }) as const)
  const moved = [1, 2, 3, 4].map((routerId) => ({ routerId }))
  expect(centersFirst(moved, members).map(({ routerId }) => routerId)).toEqual([3, 4, 1, 2])
})
