import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipText } from '#contract/kernel/ipv4.ts'
import type { NetworkSegmentKind } from '#contract/network/settings.ts'
import {
  type Neighbor,
  memberOverlaps,
  neighborhoodSegments,
  toNetworkOwners,
  networkSegments,
  segmentsOf,
} from '#domain/network/addresses/member-segments.ts'
import type { OwnedSegment } from '#domain/network/addresses/overlap.ts'
import { parseRange } from '#domain/network/addresses/segments.ts'
import { checkWantedSegments } from '#domain/network/addresses/chosen-segments.ts'
import { createMember } from '../members.ts'

const gateway = { router: { gateway: '10.9.0.0', mask: 24 }, software: null }
const owned = (label: string, segment: string, over: Partial<OwnedSegment> = {}): OwnedSegment => ({
  routerName: label,
  label,
  segment,
  kind: 'inner',
  ...over,
})
const wanted = (segment: string, over = {}) => ({
  label: '总部的硬件网段',
  segment,
  field: 'router_network.gateway',
  isChanged: true,
  ...over,
})

describe('design 12 · segments that a member brings', () => {
  it('are its LANs and, as a centre, what was chosen in place of the default segments', () => {
    expect(segmentsOf({ lans: ['10.1.0.0/24'], segmentIndex: null, gateway })).toEqual(['10.1.0.0/24'])
    expect(segmentsOf({ lans: [], segmentIndex: 0, gateway })).toEqual(['10.9.0.0/24', '100.64.16.0/20'])
    expect(segmentsOf({ lans: [], segmentIndex: 0 })).toEqual(['100.64.0.0/20', '100.64.16.0/20'])
  })

  it('a network brings its enabled twin-centre link, its POP segments and its point links', () => {
    const ports = { public_ip: null, public_port: null, static_port: null }
    const link = { enable: 1, server: 1, gateway: '10.7.0.0', mask: 30, ports }
    const segment = (name: string, text: string) => ({ name, segment: text })
    const of = (kind: NetworkSegmentKind, value: unknown) => networkSegments({ kind, value: JSON.stringify(value) })
    expect(of('center_link', link)).toEqual([segment('双中心点互通', '10.7.0.0/30')])
    expect(of('center_link', { ...link, enable: 0 })).toEqual([])
    const pool = { gateway: '10.0.0.0', mask: 16, pop: { gateway: '10.5.0.0', mask: 20 }, pop_software: null }
    expect(of('ip_pool', pool)).toEqual([segment('POP硬件网段', '10.5.0.0/20')])
    expect(of('point_link', ['10.6.0.0/30'])).toEqual([segment('点对点互联', '10.6.0.0/30')])
  })

  it('nodes bring the default segments of their subnet indexes, where none were chosen', () => {
    const of = (ip_pool: unknown) =>
      networkSegments({ kind: 'pop_node', value: JSON.stringify({ indexes: [0, 2], ip_pool }) }).map((s) => s.segment)
    expect(of(null)).toEqual(['100.64.0.0/20', '100.64.64.0/20', '100.64.16.0/20', '100.64.80.0/20'])
    const pop = { gateway: '10.5.0.0', mask: 20 }
    expect(of({ gateway: '', mask: 20, pop, pop_software: null })).toEqual(['100.64.16.0/20', '100.64.80.0/20'])
    expect(of({ gateway: '', mask: 20, pop, pop_software: pop })).toEqual([])
  })

  it('chosen ones and those of a network meet LANs and WANs like default ones', () => {
    const center = createMember({ routerName: 'C1', memberType: 'center', segmentIndex: 0, gateway })
    const point = createMember({ routerName: 'P1', lans: ['10.9.0.1/25'], wans: ['10.6.0.1/29'] })
    const held = toNetworkOwners({ number: 'N1', name: '一区', isHidden: false, isOwn: true }, [
      { kind: 'point_link', value: '["10.6.0.0/30"]' },
    ])
    const found = memberOverlaps([center, point], held).map(({ a, b, routers }) => [a, b, routers.toSorted()])
    expect(found).toEqual(
      expect.arrayContaining([
        ['C1', 'P1', ['C1', 'P1']],
        ['P1', '点对点互联', ['P1']],
      ]),
    )
    expect(found).toHaveLength(2)
  })

  it('those of another network count where a router is in both', () => {
    const center = { routerName: 'P1', note: '', networkNumber: 'N2', networkName: '二区', lans: [], isHidden: false }
    const neighbors: Neighbor[] = [
      { ...center, segmentIndex: 3, gateway },
      ...toNetworkOwners({ number: 'N3', name: '三区', isHidden: false, isOwn: false }, [
        { kind: 'point_link', value: '["10.6.0.0/30"]' },
      ]),
    ]
    const labels = neighborhoodSegments([createMember({ routerName: 'P1' })], neighbors).map(({ label }) => label)
    expect(labels).toEqual(['组网“二区”的P1', '组网“二区”的P1'])
  })
})

describe('network 5 · a segment that is chosen', () => {
  it('is refused with its owner and the next free one', () => {
    const around = [owned('上海', '10.9.0.1/16'), owned('杭州', '10.10.0.0/24')]
    expect(checkWantedSegments([wanted('10.9.4.0/24')], around)).toEqual({
      key: 'SEGMENT_TAKEN',
      params: { segment: '10.9.4.0/24', owner: '上海', other: '10.9.0.0/16', free: '10.10.1.0/24' },
      field: 'router_network.gateway',
    })
    expect(checkWantedSegments([wanted('10.9.4.0/24')], around, '10.200.0.0/16')?.params['free']).toBe('10.200.0.0/24')
    expect(checkWantedSegments([wanted('10.11.0.0/24')], around)).toBeNull()
  })

  it('of a network that the role does not cover, is named to nobody', () => {
    const hidden = [owned('上海', '10.9.0.0/16', { isHidden: true })]
    const refused = checkWantedSegments([wanted('10.9.4.0/24')], hidden)
    expect(refused?.key).toBe('SEGMENT_TAKEN_HIDDEN')
    expect(JSON.stringify(refused)).not.toContain('上海')
  })

  it('meets the others that are chosen with it; what stays as it was is not checked', () => {
    const other = wanted('10.9.0.0/16', { label: '软件网段', field: 'software_network.gateway', isChanged: false })
    expect(checkWantedSegments([wanted('10.9.4.0/24'), other], [])).toMatchObject({ params: { owner: '软件网段' } })
    expect(checkWantedSegments([other], [owned('上海', '10.9.0.0/24')])).toBeNull()
  })

  it('the proposed one is of the same size and free', () => {
    const segment = fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 16, max: 24 }))
      .map(([n, mask]) => `${ipText(((10 << 24) + (n << 16)) >>> 0)}/${mask}`)
    fc.assert(
      fc.property(segment, fc.array(segment, { maxLength: 20 }), (text, others) => {
        const around = others.map((one, n) => owned(`o${n}`, one))
        const refused = checkWantedSegments([wanted(text)], around)
        if (refused === null) return
        const free = String(refused.params['free'])
        expect(free.split('/')[1]).toBe(text.split('/')[1])
        expect(checkWantedSegments([wanted(free)], around)).toBeNull()
        expect(parseRange(free)).not.toBeNull()
      }),
    )
  })
})
