import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { checkDiagnosis, isPublic } from '#domain/network/diagnosis/allowed.ts'
import { memberWithLan } from '../members.ts'
import { TWIN, networkOf, prefixRow, withDefault } from './network.ts'

const DENIED = networkOf(TWIN, {
  prefix: [prefixRow('10.4.0.0', 16, { permission: 'deny' }), prefixRow('10.0.0.0', 8)],
})
const check = (over: Partial<Parameters<typeof checkDiagnosis>[3]>, network = networkOf(), self = TWIN[2]!) =>
  checkDiagnosis(network, '总部互联', self, { kind: 'ping', source: '', destination: '10.4.0.9', ...over })

describe('network · addresses of a diagnosis', () => {
  it.each([
    ['a LAN of another member', '10.4.0.9'],
    ['its own LAN', '10.3.0.9'],
    ['an inner address', '100.64.32.1'],
    ['a software member', '100.64.48.7'],
  ])('%s is allowed for each kind', (_, destination) => {
    for (const kind of ['ping', 'traceroute', 'path'] as const) expect(check({ kind, destination })).toBeNull()
  })

  it.each([
    ['of the internet', '198.51.100.80'],
    ['of another network', '10.99.0.1'],
    ['inside another network', '100.100.0.1'],
  ])('one %s is refused for each kind', (_, destination) => {
    for (const kind of ['ping', 'traceroute', 'path'] as const)
      expect(check({ kind, destination })).toMatchObject({
        key: 'DIAGNOSIS_DESTINATION',
        params: { network: '总部互联' },
      })
  })

  it('a default route opens the internet to a look at the routing alone, and no private address', () => {
    for (const mode of [1, 2] as const) {
      const self = memberWithLan(3, 'point', withDefault(mode))
      const rows = networkOf([...TWIN.slice(0, 2), self])
      expect(check({ kind: 'path', destination: '198.51.100.80' }, rows, self)).toBeNull()
      expect(check({ kind: 'path', destination: '10.99.0.1' }, rows, self)).not.toBeNull()
      expect(check({ kind: 'path', destination: '100.100.0.1' }, rows, self)).not.toBeNull()
      expect(check({ kind: 'ping', destination: '198.51.100.80' }, rows, self)).not.toBeNull()
      expect(check({ kind: 'traceroute', destination: '198.51.100.80' }, rows, self)).not.toBeNull()
    }
  })

  it('a segment that the rows deny is reached by no packet; a path analysis names the row', () => {
    expect(check({ kind: 'ping' }, DENIED)).toMatchObject({ key: 'DIAGNOSIS_DESTINATION' })
    expect(check({ kind: 'traceroute' }, DENIED)).toMatchObject({ key: 'DIAGNOSIS_DESTINATION' })
    expect(check({ kind: 'path' }, DENIED)).toBeNull()
  })

  it('a disabled member is asked about by a path analysis alone', () => {
    const rows = networkOf([...TWIN.slice(0, 3), memberWithLan(4, 'point', { vpn: true, isLeftOut: true })])
    expect(check({ kind: 'ping' }, rows)).toMatchObject({ key: 'DIAGNOSIS_DESTINATION' })
    expect(check({ kind: 'path' }, rows)).toBeNull()
  })

  it('a source is an address of the member’s own LANs', () => {
    expect(check({ kind: 'path', source: '10.3.0.7' })).toBeNull()
    expect(check({ kind: 'path', source: '10.4.0.7' })).toMatchObject({ key: 'DIAGNOSIS_SOURCE' })
  })

  it.each(['10.0.0.1', '172.31.0.1', '192.168.1.1', '100.64.0.1', '169.254.1.1', '127.0.0.1', '224.0.0.1', '0.0.0.1'])(
    '%s is not in the internet',
    (address) => expect(isPublic(address)).toBe(false),
  )
})

describe('network · fields of a diagnosis', () => {
  const base = { network_number: 'N1', router_name: 'R3', kind: 'ping', destination: '10.4.0.9' }
  const fieldOf = (over: object) => {
    const parsed = networkApi.diagnose.input.safeParse({ ...base, ...over })
    return parsed.success ? null : parsed.error.issues[0]?.path[0]
  }

  it.each([
    ['destination', { destination: 'router.local' }],
    ['destination', { destination: '224.0.0.5' }],
    ['destination', { destination: '127.0.0.1' }],
    ['destination', { destination: '0.1.2.3' }],
    ['destination', { destination: '255.255.255.255' }],
    ['destination', { destination: '10.0.0.1; reboot' }],
    ['destination', { destination: '-I eth0' }],
    ['count', { count: 11 }],
    ['count', { count: 0 }],
    ['kind', { kind: 'flood' }],
    ['source', { kind: 'path', source: 'lan' }],
    ['source', { kind: 'ping', source: '10.3.0.7' }],
    ['source', { kind: 'traceroute', source: '10.3.0.7' }],
  ])('%s refuses %j', (field, over) => expect(fieldOf(over)).toBe(field))

  it('an answer of four packets is the default', () => {
    expect(networkApi.diagnose.input.parse(base)).toMatchObject({ source: '', count: 4 })
  })
})
