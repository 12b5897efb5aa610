import { describe, expect, it } from 'vitest'
import type { LinkState, LinkView } from '#contract/kernel/protocol.ts'
import { NODE_HEIGHT_PX } from '#pages/network/topology/layout/grid.ts'
import {
  bundleState,
  indexLinks,
  portMark,
  portPaths,
  portStates,
  portY,
  toPortPaths,
} from '#pages/network/topology/layout/ports.ts'
import { link } from '../member.ts'

describe('the state of several links', () => {
  it.each<[LinkState[], ReturnType<typeof bundleState>]>([
    [['up'], 'up'],
    [['one_sided', 'down'], 'down'],
    [['one_sided', 'unknown'], 'mixed'], // one that is known must not turn the unknown ones red
    [['one_sided', 'down', 'unknown'], 'mixed'],
    [['up', 'unknown', 'unknown'], 'unknown'],
    [['up', 'down'], 'mixed'],
    [['up', 'one_sided', 'unknown'], 'mixed'],
    [['up', 'unknown'], 'up'], // just created: some of its links wait for their first probe
    [['unknown'], 'unknown'],
    [['never'], 'never'],
    [['up', 'never'], 'up'],
    [['down', 'never'], 'down'],
    [[], null],
  ])('%j is %j: as bad as its worst, unless some are up or unknown', (states, expected) => {
    expect(bundleState(states.map((state) => ({ state })))).toBe(expected)
  })
})

describe('the ports of a node', () => {
  const links = indexLinks([link('p', 'b', 'down'), link('p', 'a', 'up'), link('q', 'a', 'one_sided')])

  it('stand in the order of the centres, and leave the place of a centre without a link empty', () => {
    expect(portStates({ members: ['p'] }, [['a'], ['b']], links)).toEqual(['up', 'down'])
    expect(portStates({ members: ['q'] }, [['a'], ['b']], links)).toEqual(['one_sided', null])
    expect(portStates({ members: ['p', 'q'] }, [['a'], ['b']], links)).toEqual(['mixed', 'down'])
  })

  it('have one for all POP nodes, before those of the centres', () => {
    const pop = (client: string, node: string, state: LinkState): LinkView => ({
      ...link(client, node, state),
      kind: 'pop',
    })
    const all = [link('p', 'a', 'up'), pop('p', 'n1', 'up'), pop('p', 'n2', 'down'), pop('q', 'n2', 'up')]
    const paths = toPortPaths(all, ['a'])
    expect(paths).toEqual([['n1', 'n2'], ['a']])
    expect(portStates({ members: ['p'] }, paths, indexLinks(all))).toEqual(['mixed', 'up'])
    expect(portStates({ members: ['q'] }, paths, indexLinks(all))).toEqual(['up', null])
    expect(toPortPaths([link('p', 'a', 'up')], ['a'])).toEqual([['a']])
  })

  it('differ in shape: filled, hollow, half, dotted', () => {
    expect((['up', 'down', 'one_sided', 'unknown', 'never'] as const).map(portMark)).toEqual([
      'up',
      'down',
      'half',
      'idle',
      'idle',
    ])
    const { up, down, half, idle } = portPaths(['up', 'down', 'one_sided', 'unknown'])
    const rings = (path: string) => path.match(/M/g)?.length
    expect([up, down, half, idle].map(rings)).toEqual([1, 2, 2, 1])
  })

  it.each([1, 2, 3, 4, 6])('%i of them stay on the edge of the node, apart from each other', (count) => {
    const ys = Array.from({ length: count }, (_, i) => portY(i, count))
    expect(Math.min(...ys)).toBeGreaterThan(2)
    expect(Math.max(...ys)).toBeLessThan(NODE_HEIGHT_PX - 2)
    const gaps = ys.slice(1).map((y, i) => y - (ys[i] ?? 0))
    expect(gaps.filter((gap) => gap < 5)).toEqual([])
  })
})
