import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignAddresses } from '#domain/network/addresses/addresses.ts'
import {
  defaultPort,
  type CenterPorts,
  checkFixedPorts,
  servicePorts,
  usedPorts,
} from '#domain/network/addresses/ports.ts'
import { createMember } from './members.ts'

const NONE = { public_ip: null, public_port: null, static_port: null }
const ports = (static_port: number, public_port: number | null = null, public_ip: string | null = null) => ({
  public_ip,
  public_port: public_port ?? static_port,
  static_port,
})
const center = (over: Partial<CenterPorts> = {}): CenterPorts => ({
  routerId: 1,
  routerName: 'C1',
  note: '总部',
  segmentIndex: 0,
  networkNumber: 'N1',
  networkName: '一区',
  isHidden: false,
  fixedPort: null,
  ...over,
})
const second = center({ networkNumber: 'N2', networkName: '二区', segmentIndex: 1 })
const rows = (over = {}) => ({ centers: [center(), second], centerLinks: [], pointLinks: [], ...over })
const fixed = (router_service: object, software_service: object = NONE) =>
  ({ router_service, software_service }) as Parameters<typeof checkFixedPorts>[1]

describe('network 5 · fixed ports', () => {
  it('may be what the centre has itself by default, but not what it has in another network', () => {
    expect(checkFixedPorts(center(), fixed(ports(20_000)), rows())).toBeNull()
    expect(checkFixedPorts(center(), fixed(ports(defaultPort(1, 'software'))), rows())).toEqual({
      key: 'PORT_TAKEN',
      params: { port: 20_005, owner: '组网“二区”中总部的软件服务', free: 20_006 },
      field: 'router_service.static_port',
    })
  })

  it('differ from the default port of the other service', () => {
    expect(checkFixedPorts(center(), fixed(ports(20_001)), rows())).toMatchObject({
      key: 'PORT_TAKEN',
      params: { owner: '组网“一区”中总部的软件服务' },
    })
  })

  it('differ from the port of the device’s own link probes, whatever it is, with the next free one', () => {
    const probed = rows({
      probes: [
        { routerId: 1, port: 4000 },
        { routerId: 2, port: 4001 },
      ],
    })
    expect(checkFixedPorts(center(), fixed(ports(4000)), probed)).toEqual({
      key: 'PORT_TAKEN',
      params: { port: 4000, owner: '设备自身的链路探测', free: 4001 },
      field: 'router_service.static_port',
    })
    expect(checkFixedPorts(center(), fixed(ports(4001)), probed)).toBeNull()
  })

  it('differ from those of the twin-centre link and of point links on the device', () => {
    const link = { enable: 1, server: 1, gateway: '', mask: 30, ports: ports(4000) }
    const name = { networkNumber: 'N1', networkName: '一区', isHidden: false }
    const with4 = rows({
      centerLinks: [{ ...name, value: JSON.stringify(link) }],
      pointLinks: [{ ...name, routerId: 1, port: 4001 }],
    })
    const owner = (port: number) => checkFixedPorts(center(), fixed(ports(port)), with4)?.params['owner']
    expect([owner(4000), owner(4001), owner(4002)]).toEqual([
      '组网“一区”的双中心点互通',
      '组网“一区”的点对点互联',
      undefined,
    ])
    const off = rows({ centerLinks: [{ ...name, value: JSON.stringify({ ...link, enable: 0 }) }] })
    expect(checkFixedPorts(center(), fixed(ports(4000)), off)).toBeNull()
  })

  it('are reached at a public address and port of their own in the account', () => {
    const other = fixed(ports(5000, 6000, '203.0.113.1'))
    const far = center({
      routerId: 2,
      note: '上海',
      networkNumber: 'N2',
      segmentIndex: 1,
      fixedPort: JSON.stringify(other),
    })
    expect(
      checkFixedPorts(center(), fixed(ports(5000, 6000, '203.0.113.1')), rows({ centers: [center(), far] })),
    ).toEqual({
      key: 'PUBLIC_PORT_TAKEN',
      params: { ip: '203.0.113.1', port: 6000, owner: '组网“一区”中上海的硬件服务', free: 6001 },
      field: 'router_service.public_port',
    })
  })

  it('an accepted choice leaves no device with one port twice; a proposed one is accepted', () => {
    const port = fc.integer({ min: 20_000, max: 20_009 })
    fc.assert(
      fc.property(fc.option(port), fc.option(port), port, (a, b, c) => {
        const toPorts = (n: number | null) => (n === null ? NONE : ports(n))
        const others = [center(), { ...second, fixedPort: JSON.stringify(fixed(ports(c))) }]
        const all = rows({ centers: others })
        const wanted = fixed(toPorts(a), toPorts(b))
        const refused = checkFixedPorts(center(), wanted, all)
        const areDistinct = (some: readonly { readonly port: number }[]) =>
          new Set(some.map(({ port: n }) => n)).size === some.length
        const after = [...usedPorts(all, center()), ...servicePorts(center(), wanted)]
        expect(refused !== null || !areDistinct(usedPorts(all)) || areDistinct(after)).toBe(true)
        expect(refused === null || Number(refused.params['free']) > 0).toBe(true)
      }),
    )
  })

  it('a new centre gets no index whose default ports were chosen by somebody', () => {
    const taken = { usedIndexes: [0], neighborSegments: [], reported: [], ports: [20_005, 443] }
    const added = createMember({ routerName: 'C9', memberType: 'center' })
    expect(assignAddresses([], [added], taken).members[0]?.segmentIndex).toBe(2)
  })
})
