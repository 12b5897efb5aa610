import { describe, expect, it } from 'vitest'
import type { NetworkNamespace } from '#infra/agent/drivers/linux/pop/network-namespace.ts'
import type { ProbeSocket } from '#infra/agent/drivers/linux/pop/probe-socket.ts'
import {
  type NamespaceObserved,
  namespaceTool,
  parseInside,
  planNamespace,
} from '#infra/agent/drivers/linux/pop/namespace-tool.ts'
import { device, popNetwork } from '../support/tunnel-parts.ts'
import { renderingOf } from './support/renderings.ts'

const tool = namespaceTool(1, {} as NetworkNamespace, {} as ProbeSocket)
const wanted = tool.wanted(renderingOf(device('POP-1', 901, '10.0.0.0/24', [popNetwork('N1', 21_000)])))
const settled = tool.settled(wanted)
const plan = (over: Partial<NamespaceObserved>, of = wanted) =>
  planNamespace({ ...settled, ...over }, of).map(({ phase, action, device: name }) =>
    `${phase} ${action} ${name}`.trim(),
  )

describe('the namespace of a network on a node', () => {
  it('has the interfaces of its tunnels with their addresses, those of a link without a segment with its peer', () => {
    expect(Object.fromEntries(wanted!.addresses)).toEqual({
      ov1r: '100.65.16.1/20',
      ov1s: '100.65.128.1/20',
      ov1x3: '100.65.16.1 peer 100.65.32.1/32',
      ov1x4: '100.65.16.1 peer 100.65.48.1/32',
    })
    expect(wanted?.network).toBe('N1')
  })

  it.each([
    ['as it should be', {}, []],
    ['missing', { isReady: false, isThere: false, inside: new Map() }, ['place make']],
    [
      'missing, while processes of an earlier one run',
      { ...settled, isReady: false, isThere: false, outside: ['ov1r'] },
      ['place make'],
    ],
    ['with other settings', { isReady: false }, ['place make']],
    ['with an interface that its process has made anew', { outside: ['ov1x3'] }, ['move move ov1x3']],
    [
      'with an interface without its address',
      { inside: new Map([...settled.inside, ['ov1s', ''] as const]) },
      ['move move ov1s'],
    ],
    ['with an interface that its process has not made yet', { inside: new Map() }, []],
  ])('%s', (_, over, steps) => {
    expect(plan(over)).toEqual(steps)
  })

  it('goes last', () => {
    expect(plan({}, null)).toEqual(['rates remove'])
    expect(plan(tool.settled(null), null)).toEqual([])
  })

  it('is read from ip: an interface that is down or of another size has no address', () => {
    const link = (ifname: string, over: object) => ({ ifname, flags: ['UP'], mtu: 1400, addr_info: [], ...over })
    const address = { family: 'inet', local: '100.65.16.1', prefixlen: 20 }
    const peer = { family: 'inet', local: '100.65.16.1', address: '100.65.32.1', prefixlen: 32 }
    const text = JSON.stringify([
      link('lo', { mtu: 65_536, addr_info: [{ family: 'inet', local: '127.0.0.1', prefixlen: 8 }] }),
      link('ov1r', { addr_info: [address, { family: 'inet6', local: 'fe80::1', prefixlen: 64 }] }),
      link('ov1x3', { addr_info: [peer] }),
      link('ov1s', { flags: [], addr_info: [address] }),
      link('ov1x4', { mtu: 1500, addr_info: [peer] }),
    ])
    expect(Object.fromEntries(parseInside(text))).toEqual({
      ov1r: '100.65.16.1/20',
      ov1x3: '100.65.16.1 peer 100.65.32.1/32',
      ov1s: '',
      ov1x4: '',
    })
  })
})
