import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignAddress, ipNumber, ipText, isAddress, isAligned, sizeOfMask } from '#contract/kernel/ipv4.ts'
import type { PrefixRow } from '#contract/network/fields.ts'
import { DEFAULT_PORT, PORT } from '#contract/network/limits.ts'
import { type UsedPort, checkPort, defaultPort, nextFreePort } from '#domain/network/addresses/ports.ts'
import { SUBNET_INDEXES } from '#domain/network/addresses/segments.ts'
import { alignPrefixes, checkPrefixes } from '#domain/network/routing/routing.ts'

const address = fc.nat(2 ** 32 - 1).map(ipText)
const mask = fc.integer({ min: 1, max: 32 })

describe('network 5 · alignment', () => {
  it('is at the boundary of the mask, at or below the address, and stays there', () => {
    fc.assert(
      fc.property(address, mask, (ip, bits) => {
        const aligned = alignAddress(ip, bits)
        const [from, to] = [ipNumber(ip)!, ipNumber(aligned)!]
        expect(to % sizeOfMask(bits)).toBe(0)
        expect(from - to).toBeGreaterThanOrEqual(0)
        expect(from - to).toBeLessThan(sizeOfMask(bits))
        expect(isAligned(aligned, bits)).toBe(true)
        expect(isAligned(ip, bits)).toBe(ip === aligned)
      }),
    )
  })
  it.each([
    ['10.1.2.3', true],
    ['0.1.2.3', false],
    ['10.1.2', false],
    ['010.1.2.3', false],
    ['', false],
  ])('%j is an address whose first octet is not 0: %s', (text, expected) => expect(isAddress(text)).toBe(expected))
})

const row = (ip: string, bits: number): PrefixRow => ({
  ip,
  mask: bits,
  name: '',
  permission: 'permit',
  ge: null,
  le: 32,
})

describe('network 5 · prefix rows', () => {
  it('shows what was corrected, old → new', () => {
    expect(alignPrefixes([row('10.1.2.3', 16), row('10.8.0.0', 13)])).toEqual({
      rows: [row('10.1.0.0', 16), row('10.8.0.0', 13)],
      corrected: [{ row: 0, from: '10.1.2.3/16', to: '10.1.0.0/16' }],
    })
  })
  it('two rows that meet after the correction are one too many', () => {
    const { rows } = alignPrefixes([row('10.1.2.3', 16), row('10.1.0.0', 24), row('10.1.9.9', 16)])
    expect(checkPrefixes(rows)).toMatchObject({
      key: 'PREFIX_TWICE',
      params: { prefix: '10.1.0.0/16' },
      field: 'prefix.2.ip',
    })
    expect(checkPrefixes(rows.slice(0, 2))).toBeNull()
  })
  it('a second correction changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(address, mask)), (pairs) => {
        const { rows } = alignPrefixes(pairs.map(([ip, bits]) => row(ip, bits)))
        expect(alignPrefixes(rows)).toEqual({ rows, corrected: [] })
      }),
    )
  })
})

const used = (over: Partial<UsedPort>): UsedPort => ({
  routerId: 1,
  port: 4000,
  publicIp: null,
  publicPort: null,
  owner: '组网“a”的硬件服务',
  isHidden: false,
  ...over,
})

describe('network 5 · ports of a device', () => {
  it('by default are different for every service of every centre, and in the range', () => {
    const services = ['router', 'software', 'center_link'] as const
    const all = Array.from({ length: SUBNET_INDEXES }, (_, i) =>
      services.map((service) => defaultPort(i, service)),
    ).flat()
    expect(new Set(all).size).toBe(all.length)
    expect(Math.min(...all)).toBeGreaterThanOrEqual(PORT.min)
    expect(Math.max(...all)).toBeLessThan(DEFAULT_PORT.pointLinkFirst)
  })
  it('one that is taken is refused with its owner and the next free one', () => {
    const others = [used({}), used({ port: 4001 })]
    expect(checkPort(used({ owner: '' }), others, 'router_service')).toEqual({
      key: 'PORT_TAKEN',
      params: { port: 4000, owner: '组网“a”的硬件服务', free: 4002 },
      field: 'router_service.static_port',
    })
  })
  it.each([
    [3784, '设备自身的链路检测（BFD）', 3785],
    [1053, '设备自身的DNS服务', 1054],
  ])('%i is refused on every device: %s has it', (port, owner, free) => {
    expect(checkPort(used({ port }), [], 'router_service')).toEqual({
      key: 'PORT_TAKEN',
      params: { port, owner, free },
      field: 'router_service.static_port',
    })
    expect(nextFreePort(port, [])).toBe(free)
  })
  it('of a network that the role does not cover has no name', () => {
    expect(checkPort(used({}), [used({ isHidden: true })], 's')?.key).toBe('PORT_TAKEN_HIDDEN')
    const publicly = { publicIp: '203.0.113.1', publicPort: 5000 }
    const refused = checkPort(used(publicly), [used({ ...publicly, routerId: 2, isHidden: true })], 's')
    expect(refused).toMatchObject({
      key: 'PUBLIC_PORT_TAKEN',
      params: { owner: '您无权查看的组网中的成员', free: 5001 },
    })
  })
  it('of another device may be the same, but not at the same public address', () => {
    expect(checkPort(used({}), [used({ routerId: 2 })], 's')).toBeNull()
    expect(
      checkPort(
        used({ publicIp: '203.0.113.1', publicPort: 5000 }),
        [used({ routerId: 2, publicIp: '203.0.113.2', publicPort: 5000 })],
        's',
      ),
    ).toBeNull()
  })
  it('the proposed one is free, in the range, and none only where all are taken', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 70_000 }),
        fc.array(fc.integer({ min: PORT.min, max: PORT.min + 20 })),
        (wanted, ports) => {
          const free = nextFreePort(
            wanted,
            ports.map((port) => ({ port })),
          )
          expect(free === null || ports.includes(free)).toBe(false)
          expect(free).toBeGreaterThanOrEqual(PORT.min)
          expect(free).toBeLessThanOrEqual(PORT.max)
        },
      ),
    )
    const all = Array.from({ length: PORT.max - PORT.min + 1 }, (_, i) => ({ port: PORT.min + i }))
    expect(nextFreePort(4000, all)).toBeNull()
  })
})
