import { describe, expect, it } from 'vitest'
import { revealStep, scrollStep } from '#pages/network/topology/canvas/pan-zoom.ts'
import { nextNode, toKeyAction } from '#pages/network/topology/canvas/keyboard.ts'
import { findMembers, stepMatch } from '#pages/network/topology/use-topology-model.ts'
import { member } from '../member.ts'
import { layout, network } from './shapes.ts'

describe('network 2 · arrow keys on the topology', () => {
  const { nodes } = layout(network(2, 12), {}, 'POP')
  const walk = (...keys: string[]) => keys.reduce<string | null>((at, key) => nextNode(nodes, at, key)?.id ?? at, null)

  it.each([
    [['ArrowDown'], 'pop'],
    [['ArrowDown', 'ArrowDown'], 'c0'],
    [['ArrowDown', 'ArrowDown', 'ArrowRight'], 'p6'],
    [['ArrowDown', 'ArrowRight', 'ArrowRight'], 'p3'],
    [['ArrowDown', 'ArrowRight', 'ArrowDown'], 'p4'],
    [['ArrowDown', 'ArrowRight', 'ArrowLeft'], 'pop'],
    [['ArrowDown', 'ArrowLeft'], 'pop'],
  ])('%j lead to %s', (keys, expected) => {
    expect(walk(...keys)).toBe(expected)
  })

  it('every node is reached from every other', () => {
    const reached = new Set<string>()
    const queue = [nodes[0]!.id]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (reached.has(id)) continue
      reached.add(id)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])
        queue.push(...[nextNode(nodes, id, key)?.id ?? []].flat())
    }
    expect(reached.size).toBe(nodes.length)
  })
})

describe('network 2 · a key on the topology', () => {
  it.each([
    ['ArrowLeft', 'walk', 'walk'],
    ['Enter', null, 'pick'],
    [' ', null, 'pick'],
    ['Escape', null, 'close'],
    ['=', 'zoomIn', 'zoomIn'],
    ['-', 'zoomOut', 'zoomOut'],
    ['Home', 'fit', 'fit'],
    ['Tab', null, null],
  ])('%j is left to the page where there is nothing for it', (key, without, withNode) => {
    expect(toKeyAction(key, { current: null, selected: null })).toBe(without)
    expect(toKeyAction(key, { current: 'p1', selected: 'p1' })).toBe(withNode)
  })
})

describe('network 2 · a search in the topology', () => {
  const members = [member('NL1', { note: '北京' }), member('NL2', { note: '上海' }), member('NL3', { note: '北京二' })]

  it('finds by note and name in the order of the drawing, nothing while it is empty', () => {
    expect(findMembers(members, '北京')).toEqual(['NL1', 'NL3'])
    expect(findMembers(members, 'nl2')).toEqual(['NL2'])
    expect(findMembers(members, ' ')).toEqual([])
  })

  it.each([
    [null, 1, 'NL1'],
    ['NL1', 1, 'NL3'],
    ['NL3', 1, 'NL1'],
    [null, -1, 'NL3'],
    ['NL1', -1, 'NL3'],
    ['gone', 1, 'NL1'],
  ] as const)('walks from %s by %i to %s', (from, by, expected) => {
    expect(stepMatch(['NL1', 'NL3'], from, by)).toBe(expected)
    expect(stepMatch([], from, by)).toBeNull()
  })
})

describe('network 2 · scrolling of the topology', () => {
  it.each([
    ['a drawing that fits stays, so that the page scrolls', { offset: 16, size: 300, window: 500 }, 80, 0],
    ['a larger one is moved by the wheel', { offset: 16, size: 900, window: 500 }, 80, -80],
    ['a larger one is moved up to its end', { offset: -400, size: 900, window: 500 }, 80, -16],
    ['a larger one is not moved beyond its end', { offset: -416, size: 900, window: 500 }, 80, 0],
    ['a larger one is moved back to its top', { offset: -30, size: 900, window: 500 }, -80, 46],
  ])('%s', (_, extent, delta, expected) => {
    expect(scrollStep(extent, delta) + 0).toBe(expected)
  })

  it.each([
    ['a node in sight stays where it is', { offset: 40, size: 40, window: 500 }, 0],
    ['a node below comes up into sight', { offset: 480, size: 40, window: 500 }, -36],
    ['a node above comes down into sight', { offset: -60, size: 40, window: 500 }, 76],
  ])('%s', (_, extent, expected) => {
    expect(revealStep(extent) + 0).toBe(expected)
  })
})
