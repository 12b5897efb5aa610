import { describe, expect, it } from 'vitest'
import { COUNTED_LINKS } from '#contract/device/counters.ts'
import { clientEnds, linkCounters, trunkEnds } from '#infra/agent/drivers/linux/link-counters.ts'
import { access, center, centerNetwork, point, pointNetwork, twin } from '../support/tunnel-parts.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

const POINT = 'N1:NL-P1>NL-A'
const NOW = 500_000

describe('counters of links', () => {
  const ends = [{ id: POINT, device: 'ov1c1' }]
  const sources = {
    interfaces: { ov1c1: { rx: 7, tx: 9 }, wan0: { rx: 1, tx: 1 } },
    running: new Map([['ov1c1', { startTime: 42_000 }]]),
    nowMs: NOW,
  }

  it('are those of the interface, as old as the process', () => {
    expect(linkCounters(ends, sources)).toEqual({ [POINT]: { rx: 7, tx: 9, since_s: 80 } })
  })

  it.each([
    ['without a process', { running: new Map() }],
    ['without an interface', { interfaces: {} }],
    ['with a process that began later than now', { running: new Map([['ov1c1', { startTime: 50_001 }]]) }],
  ])('%s are none', (_, over) => {
    expect(linkCounters(ends, { ...sources, ...over })).toEqual({})
  })

  it('are reported by the client end', () => {
    expect(clientEnds(renderingOf(withKeys(point(pointNetwork()))))).toEqual(ends)
    const links = [access('N1', 1, 'A').server, twin('client')]
    expect(clientEnds(renderingOf(withKeys(center(centerNetwork({ links })))))).toEqual([
      { id: twin('client').id, device: 'ov1x2' },
    ])
  })

  it('of a trunk are those of the interface that serves the points of a network; a point has none', () => {
    expect(trunkEnds(renderingOf(withKeys(center(centerNetwork()))))).toEqual([{ id: 'N1', device: 'ov1r' }])
    expect(trunkEnds(renderingOf(withKeys(point(pointNetwork()))))).toEqual([])
  })

  it('are those of as many links as a frame takes, always the same', () => {
    const { client } = access('N1', 1, 'A')
    const links = Array.from({ length: COUNTED_LINKS + 4 }, (_, i) => ({ ...client, id: `N1:NL-P1>NL-${i}` }))
    const ids = (order: typeof links) =>
      clientEnds(renderingOf(withKeys(point(pointNetwork({}, order))))).map(({ id }) => id)
    expect(ids(links)).toHaveLength(COUNTED_LINKS)
    expect(ids(links.toReversed())).toEqual(ids(links))
  })
})
