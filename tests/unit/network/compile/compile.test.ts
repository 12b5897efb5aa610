import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routerDocument } from '#contract/device/document.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import { DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { parseRange } from '#domain/network/addresses/segments.ts'
import { NOT_REPORTED, memberRows } from '../members.ts'

const linkKey = (secret: string, id: string) => createHash('sha256').update(`${secret}:${id}`).digest('hex')
const network = (members: readonly DocumentMember[], networkNumber = 'N1'): NetworkRows => ({
  networkNumber,
  ciphers: 'default',
  secret: `secret of ${networkNumber}`,
  settings: DEFAULT_NETWORK_SETTINGS,
  members,
})
const compileDocument = (name: string, ...networks: NetworkRows[]) =>
  canonicalJson(compileRouter(name, networks, linkKey))
const withSelf = memberRows.filter((members) => members.some((m) => m.routerType === 1))
const hardware = (members: readonly DocumentMember[]) => members.filter((m) => m.routerType === 1)
/** Names of those whose document a change of members moves. */
const moved = (before: readonly DocumentMember[], after: readonly DocumentMember[]) =>
  hardware(before)
    .filter((m) => after.some((n) => n.routerName === m.routerName))
    .filter((m) => compileDocument(m.routerName, network(before)) !== compileDocument(m.routerName, network(after)))
    .map((m) => m.routerName)
    .toSorted()
const filterNames = (members: readonly DocumentMember[], kind: DocumentMember['memberType']) =>
  hardware(members)
    .filter((m) => m.memberType === kind)
    .map((m) => m.routerName)
    .toSorted()
const newcomer = (memberType: 'center' | 'point', routerType: 1 | 2 = 1): DocumentMember => ({
  ...NOT_REPORTED,
  routerId: 100,
  routerName: 'R99',
  routerType,
  memberType,
  segmentIndex: memberType === 'center' ? 99 : null,
  host: 101,
  endpoint: null,
})

const twoMembers: readonly DocumentMember[] = [
  {
    ...NOT_REPORTED,
    routerId: 1,
    routerName: 'R1',
    routerType: 1,
    memberType: 'center',
    segmentIndex: 0,
    host: 1,
    endpoint: null,
  },
  {
    ...NOT_REPORTED,
    routerId: 2,
    routerName: 'R2',
    routerType: 1,
    memberType: 'point',
    segmentIndex: null,
    host: 2,
    endpoint: null,
  },
]

describe('design 8 · a document', () => {
  it('is the same whatever the order of rows', () => {
    fc.assert(
      fc.property(withSelf, withSelf, fc.infiniteStream(fc.nat()), (a, b, seeds) => {
        const shuffled = <T>(list: readonly T[]) =>
          list
            .map((item) => ({ item, at: seeds.next().value ?? 0 }))
            .toSorted((x, y) => x.at - y.at)
            .map(({ item }) => item)
        const both = hardware(a).find((m) => b.some((n) => n.routerName === m.routerName && n.routerType === 1))
        const self = both ?? hardware(a)[0]!
        const networks = both ? [network(a), network(b, 'N0')] : [network(a)]
        const again = shuffled(networks).map((n) => ({ ...n, members: shuffled(n.members) }))
        expect(compileDocument(self.routerName, ...again)).toBe(compileDocument(self.routerName, ...networks))
      }),
    )
  })

  it('matches the protocol schema', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        const name = hardware(members)[0]!.routerName
        const compiled = compileRouter(name, [network(members)], linkKey)
        expect(routerDocument.parse(compiled)).toEqual(compiled)
        for (const { ip, segment } of compiled.networks[0]!.addresses) {
          const [range, at] = [parseRange(segment)!, parseRange(`${ip}/32`)!.first]
          expect(at > range.first && at < range.last).toBe(true)
        }
      }),
    )
  })

  it('holds no key twice, and both ends of a link hold the same', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        const ends = hardware(members).flatMap(
          (m) => compileRouter(m.routerName, [network(members)], linkKey).networks[0]!.links,
        )
        for (const { id } of ends) {
          const pair = ends.filter((end) => end.id === id)
          expect(pair.map((end) => end.role).toSorted()).toEqual(['client', 'server'])
          expect(new Set(pair.map((end) => end.key)).size).toBe(1)
        }
      }),
    )
  })

  it.each(['$(reboot)', 'R1\nup /bin/sh', '../R1', '-R1', 'R 1', '', 'R'.repeat(65)])(
    'is not made of a row that names a member %j',
    (routerName) => {
      const rows = [...twoMembers, { ...newcomer('point', 2), routerName }]
      expect(() => compileDocument('R1', network(rows))).toThrow('router_name')
    },
  )

  it('leaves out an endpoint that is no address', () => {
    const endpointAt = (host: string, port = 9) => {
      const rows = twoMembers.map((m) => (m.memberType === 'center' ? { ...m, endpoint: { host, port } } : m))
      return compileRouter('R2', [network(rows)], linkKey).networks[0]!.links[0]!.endpoint
    }
    expect(endpointAt('2001:db8::9')).toEqual({ host: '2001:db8::9', port: 9 })
    expect(['device.example', '203.0.113.9\nup', ''].map((host) => endpointAt(host))).toEqual([null, null, null])
    expect(endpointAt('203.0.113.9', 70_000)).toBeNull()
  })

  it('is empty, and still a document, without networks', () => {
    expect(compileDocument('R1')).toBe('{"asn":0,"lans":[],"networks":[],"router_name":"R1"}')
  })
})

describe('design 8 · routers whose document changes', () => {
  it('a new point: each centre, no other point', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        expect(moved(members, [...members, newcomer('point')])).toEqual(filterNames(members, 'center'))
      }),
    )
  })
  it('a new software member: each centre, which has to admit it', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        expect(moved(members, [...members, newcomer('point', 2)])).toEqual(filterNames(members, 'center'))
      }),
    )
  })
  it('a new centre: each hardware point, no other centre', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        expect(moved(members, [...members, newcomer('center')])).toEqual(filterNames(members, 'point'))
      }),
    )
  })
  it('a centre seen at another address: its points alone', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        const center = members.find((m) => m.memberType === 'center')
        fc.pre(center !== undefined)
        const after = members.map((m) => (m === center ? { ...m, endpoint: { host: '203.0.113.9', port: 9 } } : m))
        expect(moved(members, after)).toEqual(filterNames(members, 'point'))
      }),
    )
  })
  it('a point seen at another address: no document changes', () => {
    fc.assert(
      fc.property(withSelf, (members) => {
        const after = members.map((m) =>
          m.memberType === 'point' ? { ...m, endpoint: { host: '203.0.113.9', port: 9 } } : m,
        )
        expect(moved(members, after)).toEqual([])
      }),
    )
  })
})

describe('design 8 · canonical JSON', () => {
  it('parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
  it('sorts keys at every depth', () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: '中' }] })).toBe('{"a":[{"c":"中","d":null}],"b":1}')
  })
})
