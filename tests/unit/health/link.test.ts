import { describe, expect, it } from 'vitest'
import { LINK_STATES, PRESENCE_STATES, type PresenceState } from '#contract/kernel/protocol.ts'
import { type LinkEnd, type Path, countLinks, countOpened, isSingleCenter, toLinkState } from '#domain/health/link.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const end = (state: PresenceState, up: boolean | null): LinkEnd => ({ name: state, presence: state, up })

describe('state of a link', () => {
  it('follows from what both ends say, with the reason', async () => {
    const offenders = await findOffenders([
      ['online', true, 'online', true, 'up', ''],
      ['online', false, 'online', false, 'down', '两端均收不到对方的探测'],
      ['online', true, 'online', false, 'one_sided', '中心点收不到对方的探测'],
      ['online', null, 'online', true, 'unknown', '等待设备上报'],
      ['offline', true, 'online', true, 'down', '成员离线'],
      ['online', true, 'offline', true, 'unknown', '中心点离线'],
      ['online', true, 'disabled', true, 'unknown', '中心点已停用'],
      ['offline', null, 'offline', null, 'unknown', '中心点离线'],
      ['reconnecting', true, 'online', true, 'up', ''],
      ['online', false, 'reconnecting', true, 'unknown', '中心点重连中'],
      ['reconnecting', true, 'online', false, 'unknown', '成员重连中'],
      ['flapping', true, 'online', true, 'up', ''],
      ['never', null, 'online', null, 'never', '成员从未上线'],
      ['online', null, 'never', null, 'never', '中心点从未上线'],
      ['never', null, 'never', null, 'never', '中心点从未上线'],
      ['never', null, 'offline', null, 'never', '成员从未上线'],
      ['offline', null, 'never', null, 'never', '中心点从未上线'],
      ['disabled', null, 'online', null, 'unknown', '成员已停用'],
      ['online', true, 'unreadable', true, 'unknown', '中心点状态未知'],
      ['unreadable', true, 'online', true, 'unknown', '成员状态未知'],
      ['unreadable', true, 'offline', true, 'unknown', '中心点离线'],
    ] as const)((client, clientUp, server, serverUp, state, reason) => {
      expect(toLinkState(end(client, clientUp), end(server, serverUp))).toEqual({ state, reason })
    })
    expect(offenders).toEqual([])
  })

  it.each([
    ['offline', 'online', 'center', 'unknown', '中心点离线'],
    ['online', 'offline', 'center', 'unknown', '中心点离线'],
    ['disabled', 'online', 'center', 'unknown', '中心点已停用'],
    ['never', 'online', 'center', 'never', '中心点从未上线'],
    ['online', 'offline', 'point', 'down', '成员离线'],
    ['offline', 'online', 'point', 'down', '成员离线'],
    ['online', 'disabled', 'point', 'unknown', '成员已停用'],
    ['online', 'never', 'point', 'never', '成员从未上线'],
  ] as const)('ends %s and %s of a link of kind %s are called alike: %s', (client, server, kind, state, reason) => {
    expect(toLinkState(end(client, null), end(server, null), kind)).toEqual({ state, reason })
  })

  it.each([
    ['access', '成员收不到对方的探测'],
    ['pop', '成员收不到对方的探测'],
    ['center', 'client收不到对方的探测'],
    ['point', 'client收不到对方的探测'],
  ] as const)('of a one-sided link of kind %s the end is named where both are called alike', (kind, reason) => {
    const ends = {
      client: { ...end('online', false), name: 'client' },
      server: { ...end('online', true), name: 'server' },
    }
    expect(toLinkState(ends.client, ends.server, kind)).toEqual({ state: 'one_sided', reason })
  })

  const tunnels = { seenAt: '203.0.113.7', wan: '203.0.113.7' }
  const behindNat = { seenAt: '203.0.113.7', wan: '192.168.1.20' }
  const NAT = '中心点在NAT之后，没有固定端口：请在上级路由器映射UDP端口，并在“固定端口”中填写'
  it('a link of two points explains that neither end can be dialled, and nothing while one can', async () => {
    const down = (own: typeof tunnels) => ({ name: 'end', presence: 'online', up: false, tunnels: own }) as const
    const silent = '两端均收不到对方的探测'
    const offenders = await findOffenders([
      [tunnels, tunnels, silent],
      [behindNat, tunnels, silent],
      [tunnels, behindNat, silent],
      [behindNat, behindNat, '两端均在NAT之后：请在任一端的上级路由器映射该互联的UDP端口'],
    ] as const)((client, server, reason) => {
      expect(toLinkState(down(client), down(server), 'point')).toEqual({ state: 'down', reason })
    })
    expect(offenders).toEqual([])
  })

  it('one end alone with tunnels is 仅探测; with both, a server that cannot be dialled explains a link that is not up', async () => {
    const present = { name: 'end', presence: 'online' as const }
    const cases = [
      [{ up: true }, { up: true }, 'up', ''],
      [{ up: true, tunnels }, { up: true, tunnels }, 'up', ''],
      [{ up: true, tunnels }, { up: true, tunnels: null }, 'up', '仅探测：中心点的设备不支持隧道'],
      [{ up: true }, { up: true, tunnels }, 'up', '仅探测：成员的设备不支持隧道'],
      [{ up: false }, { up: false, tunnels }, 'down', '两端均收不到对方的探测；仅探测：成员的设备不支持隧道'],
      [{ up: null, tunnels }, { up: null }, 'unknown', '等待设备上报；仅探测：中心点的设备不支持隧道'],
      [{ up: true, tunnels }, { up: true, tunnels: behindNat }, 'up', ''],
      [{ up: false, tunnels }, { up: false, tunnels: behindNat }, 'down', NAT],
      [{ up: null, tunnels }, { up: false, tunnels: behindNat }, 'unknown', NAT],
      [{ up: false, tunnels, reason: '服务端口未响应' }, { up: false, tunnels: behindNat }, 'down', NAT],
      [{ up: false, tunnels, reason: '证书已吊销' }, { up: false, tunnels: behindNat }, 'down', '证书已吊销'],
      [{ up: false, tunnels: behindNat }, { up: false, tunnels }, 'down', '两端均收不到对方的探测'],
      [
        { up: false },
        { up: false, tunnels: behindNat },
        'down',
        '两端均收不到对方的探测；仅探测：成员的设备不支持隧道',
      ],
      [
        { up: false, tunnels },
        { up: false, tunnels: behindNat, published: { public_ip: null, public_port: 31_194 } },
        'down',
        '两端均收不到对方的探测',
      ],
      [
        { up: false, tunnels },
        { up: true, tunnels: behindNat, presence: 'reconnecting' as const },
        'unknown',
        '中心点重连中',
      ],
      [
        { up: false, tunnels },
        { up: false, tunnels: behindNat, presence: 'offline' as const },
        'unknown',
        '中心点离线',
      ],
    ] as const
    const offenders = await findOffenders(cases)((client, server, state, reason) => {
      expect(toLinkState({ ...present, ...client }, { ...present, ...server })).toEqual({ state, reason })
    })
    expect(offenders).toEqual([])
    const alone = { ...present, name: 'NL-B', up: true }
    expect(toLinkState({ ...alone, tunnels }, alone, 'center').reason).toBe('仅探测：NL-B的设备不支持隧道')
  })

  it.each([
    ['both ends', [false, '证书已吊销'], [false, undefined], 'down', '证书已吊销'],
    ['the server alone', [false, undefined], [false, '服务未启动'], 'down', '服务未启动'],
    ['the client first', [false, '服务端口未响应'], [false, '没有会话'], 'down', '服务端口未响应'],
    ['one of two ends', [true, undefined], [false, '路由会话未建立'], 'one_sided', '中心点上报：路由会话未建立'],
    ['an end that is up', [true, '证书已吊销'], [false, undefined], 'one_sided', '中心点收不到对方的探测'],
    ['no end', [false, undefined], [false, undefined], 'down', '两端均收不到对方的探测'],
  ] as const)('a tunnel that is down says the device’s own reason: of %s', (_, client, server, state, reason) => {
    const of = ([up, own]: readonly [boolean, string | undefined]) => ({ ...end('online', up), reason: own })
    expect(toLinkState(of(client), of(server))).toEqual({ state, reason })
  })

  const reports = [true, false, null]
  const all = PRESENCE_STATES.flatMap((client) =>
    PRESENCE_STATES.flatMap((server) => reports.flatMap((a) => reports.map((b) => [client, a, server, b] as const))),
  )
  it('every combination of both ends follows the rules', async () => {
    const offenders = await findOffenders(all)((client, clientUp, server, serverUp) => {
      const { state, reason } = toLinkState(end(client, clientUp), end(server, serverUp))
      expect(reason === '').toBe(state === 'up')
      expect(state === 'never').toBe(client === 'never' || server === 'never')
      const isUp = client !== 'never' && server !== 'never' && clientUp === true && serverUp === true
      expect(state === 'up' && !isUp).toBe(false)
      const isExcused = ['offline', 'disabled', 'never'].includes(server) || ['disabled', 'never'].includes(client)
      expect((state === 'down' || state === 'one_sided') && isExcused).toBe(false)
    })
    expect(offenders).toEqual([])
  })
})

describe('单中心', () => {
  const path = (state: Path['state'], center: PresenceState = 'online'): Path => ({ state, center })
  it('holds while one of several paths is up', async () => {
    const offenders = await findOffenders<[string, Path[], boolean]>([
      ['both up', [path('up'), path('up')], false],
      ['one of one', [path('up')], false],
      ['the other down', [path('up'), path('down')], true],
      ['the other one-sided', [path('up'), path('one_sided')], true],
      ['the other’s centre offline', [path('up'), path('unknown', 'offline')], true],
      ['the other’s centre disabled', [path('up'), path('unknown', 'disabled')], true],
      ['the other’s centre is unreadable', [path('up'), path('unknown', 'unreadable')], false],
      ['the other waits for reports', [path('up'), path('unknown')], false],
      ['the other’s centre reconnects', [path('up'), path('unknown', 'reconnecting')], false],
      ['the other never came', [path('up'), path('never', 'never')], false],
      ['none up', [path('down'), path('down')], false],
      ['one of three', [path('up'), path('down'), path('unknown', 'offline')], true],
      ['two of three', [path('up'), path('up'), path('down')], false],
      ['one of three, of which one never came', [path('up'), path('down'), path('never')], true],
      ['no path at all', [], false],
    ])((_, paths, expected) => expect(isSingleCenter(paths)).toBe(expected))
    expect(offenders).toEqual([])
  })

  it('holds for every pair of paths only with one up and the other lost', () => {
    const paths = LINK_STATES.flatMap((state) => PRESENCE_STATES.map((center) => path(state, center)))
    for (const a of paths)
      for (const b of paths) {
        const isLost = (p: Path) =>
          p.state === 'down' ||
          p.state === 'one_sided' ||
          (p.state === 'unknown' && ['offline', 'never', 'disabled'].includes(p.center))
        const expected = (a.state === 'up' && isLost(b)) || (b.state === 'up' && isLost(a))
        expect(isSingleCenter([a, b])).toBe(expected)
      }
  })
})

it('counts links by state, each once', () => {
  expect(countLinks(['up', 'up', 'down', 'never'].map((state) => ({ state: state as 'up' })))).toEqual({
    up: 2,
    down: 1,
    one_sided: 0,
    unknown: 0,
    never: 1,
  })
})

it('counts what is up of the links whose ends both came', () => {
  expect(countOpened({ up: 5, down: 1, one_sided: 1, unknown: 2, never: 90 })).toEqual({ up: 5, unknown: 2, total: 9 })
})
