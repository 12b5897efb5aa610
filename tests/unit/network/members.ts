import fc from 'fast-check'
import type { StoredMember } from '#domain/network/members/membership.ts'
import type { DocumentMember } from '#domain/network/compile/rows.ts'
import { DEFAULT_MEMBER_SETTINGS } from '#domain/network/history/stored-settings.ts'

export function createMember(over: Partial<StoredMember> & { routerName: string }): StoredMember {
  return {
    routerId: Number(over.routerName.replace(/\D/g, '')) || 1,
    routerType: 1,
    hub: `default.${over.routerName}`,
    memberType: 'point',
    note: '',
    lans: [],
    wans: [],
    segmentIndex: null,
    host: null,
    networkCount: 0,
    ...over,
  }
}

/** Values of a member before its device has reported anything and before any setting. */
export const NOT_REPORTED = { lans: [], staticRoutes: [], settings: DEFAULT_MEMBER_SETTINGS } as const

/** A hardware member with one LAN of its own, `10.n.0.0/24`. */
export const memberWithLan = (
  n: number,
  memberType: 'center' | 'point',
  over: Partial<DocumentMember> = {},
): DocumentMember => ({
  ...NOT_REPORTED,
  routerId: n,
  routerName: `R${n}`,
  routerType: 1,
  memberType,
  segmentIndex: memberType === 'center' ? n : null,
  host: n + 1,
  endpoint: null,
  lans: [`10.${n}.0.0/24`],
  ...over,
})

/** Members of one network as rows have them: names, hosts and segment indices differ; software is never a centre. */
export const memberRows: fc.Arbitrary<DocumentMember[]> = fc
  .uniqueArray(
    fc.record({
      n: fc.nat(40),
      kind: fc.constantFrom('center', 'point', 'software'),
      endpoint: fc.option(fc.record({ host: fc.ipV4(), port: fc.integer({ min: 1, max: 65535 }) })),
    }),
    { selector: ({ n }) => n, maxLength: 9 },
  )
  .map((rows) =>
    rows.map(({ n, kind, endpoint }) => ({
      ...NOT_REPORTED,
      routerId: n + 1,
      routerName: `R${n}`,
      routerType: kind === 'software' ? 2 : 1,
      memberType: kind === 'center' ? 'center' : 'point',
      segmentIndex: kind === 'center' ? n : null,
      host: n + 2,
      endpoint,
    })),
  )
