import { expect, it } from 'vitest'
import { findPlace } from '#infra/agent/drivers/linux/place.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { renderingOf } from './support/renderings.ts'

it('the place of a network has its tunnels alone; in a namespace of its own neither LAN nor other table', () => {
  const rendering = renderingOf(CASES['center-and-point-of-another-network']!)
  expect(findPlace(rendering, 'N1', null)).toEqual({
    namespace: null,
    table: 200,
    devices: ['ov1r', 'ov1s'],
    lans: ['lan0', 'lan1'],
  })
  expect(findPlace(rendering, 'N2', null)?.devices).toEqual(['ov2c1'])
  const file = '/proc/7/ns/net'
  expect(findPlace(renderingOf(CASES['pop-node']!), 'N2', file)).toEqual({
    namespace: file,
    table: 254,
    devices: ['ov2r', 'ov2s', 'ov2x3', 'ov2x4'],
    lans: [],
  })
  expect([findPlace(rendering, 'N3', null), findPlace(null, 'N1', null)]).toEqual([null, null])
})
