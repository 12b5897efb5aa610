import { describe, expect, it } from 'vitest'
import { lineParts, nodeParts, trunkParts } from '#pages/network/topology/canvas/cell-parts.ts'
import { trunkStyle } from '#pages/network/topology/canvas/edge-style.ts'
import { createEdges, createTrunks } from '#pages/network/topology/layout/edges.ts'
import { nodeStyle } from '#pages/network/topology/node-style.ts'
import { layout, linksById, network, painted, toShape } from './shapes.ts'

const of = network(2, 8, 0, (point, center) => (point === 1 && center === 1 ? 'down' : 'up'))
const topology = layout(of)
const classesOf = (id: string) => {
  const node = topology.nodes.find((one) => one.id === id)!
  return nodeParts(nodeStyle(node, topology.nodeWidth, painted(of))).map(({ className }) => className)
}

describe('elements of a cell', () => {
  it('are those that are seen: one for each kind of port mark, none where there are no ports', () => {
    const node = ['nl-node-icon', 'nl-node-title', 'nl-node-sub']
    expect(classesOf('c0')).toEqual(['nl-node nl-node-online', ...node])
    expect(classesOf('p0')).toEqual(['nl-node nl-node-online', ...node, 'nl-port-ground', 'nl-port nl-port-up'])
    expect(classesOf('p1')).toEqual([
      'nl-node nl-node-online nl-node-single',
      ...node,
      'nl-port-ground',
      'nl-port nl-port-up',
      'nl-port nl-port-down',
    ])
  })

  it('of a trunk lie in its own coordinates, as wide as its share of links', () => {
    const [trunk] = createTrunks(topology, toShape(of).links)
    const style = trunkStyle(trunk!, linksById(of), { isDimmed: false, isFocused: false })
    const [line, hit, label] = trunkParts(trunk!, style)
    expect(line).toMatchObject({ attributes: { d: 'M0 12H200' }, strokePx: 7 })
    expect(hit).toMatchObject({ className: 'nl-edge-hit', attributes: { d: 'M0 12H200' } })
    expect(label).toMatchObject({ text: '8/8' })
    const watched = trunkStyle(trunk!, linksById(of), { isDimmed: false, isFocused: false }, [
      '↓ 12 Mbit/s',
      '↑ 4 Mbit/s',
    ])
    const rates = trunkParts(trunk!, watched).slice(3)
    expect(rates.map(({ text, attributes }) => [text, attributes['y']])).toEqual([
      ['↓ 12 Mbit/s', 31],
      ['↑ 4 Mbit/s', 44],
    ])
  })

  it('of a line are the line and what the pointer meets: one curve, through the gap above its row', () => {
    const edges = createEdges(topology, toShape(of).links)
    for (const edge of edges) {
      const [line, hit] = lineParts(edge, 'nl-edge')
      const d = String(line?.attributes['d'])
      expect(hit?.attributes['d']).toBe(d)
      expect(d.startsWith(`M${edge.from.x} ${edge.from.y}C`)).toBe(true)
      expect(d.endsWith(` ${edge.to.x} ${edge.to.y}`)).toBe(true)
      expect(d.includes('H')).toBe(edge.lane !== null)
    }
    expect(edges.some(({ lane }) => lane !== null)).toBe(true)
  })
})
