import { describe, expect, it } from 'vitest'
import { JOB } from '#contract/network/limits.ts'
import { type DeviceQuestion, QUESTION, QUESTION_FAILED, QUESTION_REFUSAL } from '#contract/device/questions.ts'
import { askedNetwork } from '#infra/agent/drivers/linux/questions/asked-network.ts'
import { parsePing } from '#infra/agent/drivers/linux/questions/ping.ts'
import { linuxAnswers } from '#infra/agent/drivers/linux/questions/question-jobs.ts'
import { listLost, pageOf, parseTable } from '#infra/agent/drivers/linux/questions/routes.ts'
import { parseTraceroute } from '#infra/agent/drivers/linux/questions/traceroute.ts'
import { LINK_REASON } from '#infra/agent/drivers/linux/link-states.ts'
import { answerQuestion } from '#infra/agent/questions.ts'
import { access, center, centerNetwork, pair, point, pointNetwork } from '../support/tunnel-parts.ts'
import { TARGET } from '../support/render-case.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

const LINK = 'N1:NL-P1>NL-A'
const PAIR = 'N1:NL-P2>NL-P1'
const INNER = '100.64.0.21'
const lan = TARGET.lan[0]!

/** A point with a link to centre A (ov1c1) and one to another point (ov1x2), and its second network (ov2c1). */
const POINT = renderingOf(
  withKeys(
    point(
      pointNetwork({}, [access('N1', 1, 'A').client, pair('client')]),
      pointNetwork({ network_number: 'N2' }, [access('N2', 1, 'B').client]),
    ),
  ),
)
const CENTER = renderingOf(withKeys(center(centerNetwork())))

const over = (dev: string, prefsrc: string, gateway?: string) => ({ dst: '10.13.2.5', dev, prefsrc, gateway })

/** A device whose `ip route get` answers these routes in turn, and that records what it runs. */
function device(answers: readonly unknown[], rendering = POINT, output = '', reports: Record<string, unknown> = {}) {
  const ran: string[] = []
  const left = [...answers]
  const answer = linuxAnswers({
    networkOf: (number) => askedNetwork(rendering, number),
    run: async (_, name, args) => {
      ran.push([name, ...args].join(' '))
      if (name !== 'ip') return { code: 0, stdout: output, stderr: '' }
      if (args.includes('addr'))
        return {
          code: 0,
          stdout: JSON.stringify([{ ifname: lan, addr_info: [{ local: '10.13.1.1', prefixlen: 24 }] }]),
          stderr: '',
        }
      const route = left.shift()
      return route === undefined
        ? { code: 2, stdout: '', stderr: 'RTNETLINK answers: Network is unreachable' }
        : { code: 0, stdout: JSON.stringify([route]), stderr: '' }
    },
    hasProgram: async () => true,
    chosenRoutes: async () => [],
    reportOf: (id) => reports[id] as never,
  })
  return { ran, answer }
}

const ping = (destination: string): DeviceQuestion => ({ kind: 'ping', network_number: 'N1', destination, count: 2 })
const route = (over: Partial<Extract<DeviceQuestion, { kind: 'route' }>> = {}): DeviceQuestion => ({
  kind: 'route',
  network_number: 'N1',
  destination: '10.13.2.5',
  source: null,
  arrival: null,
  ...over,
})

describe('the last gate of a diagnosis', () => {
  it('lets a ping out over the link of its network, bound to interface and inner address', async () => {
    const { ran, answer } = device(
      [over('ov1c1', INNER, '100.64.0.1')],
      POINT,
      '64 bytes from 10.13.2.5: icmp_seq=1 ttl=63 time=1.5 ms\n64 bytes from 10.13.2.5: icmp_seq=1 ttl=63 time=9 ms (DUP!)\n',
    )
    expect(await answer(ping('10.13.2.5'))).toEqual({ source: INNER, sent: 2, received: 1, times_ms: [1.5, null] })
    expect(ran).toEqual(['ip -j -4 route get 10.13.2.5', `ping -n -c 2 -i 0.5 -W 1 -I ov1c1 -I ${INNER} 10.13.2.5`])
  })

  it('lets a traceroute out in the same way, which touches no port', async () => {
    const text = 'traceroute to 10.13.2.5\n 1  100.64.0.1  2.1 ms\n 2  *\n 3  10.13.2.5  4.5 ms\n'
    const { ran, answer } = device([over('ov1c1', INNER, '100.64.0.1')], POINT, text)
    expect(await answer({ kind: 'traceroute', network_number: 'N1', destination: '10.13.2.5' })).toEqual({
      source: INNER,
      hops: [
        { ip: '100.64.0.1', rtt_ms: 2.1 },
        { ip: null, rtt_ms: null },
        { ip: '10.13.2.5', rtt_ms: 4.5 },
      ],
    })
    expect(ran[1]).toBe(`traceroute -n -I -q 1 -w 1 -m 16 -i ov1c1 -s ${INNER} 10.13.2.5`)
  })

  it.each([
    ['by the WAN', '198.51.100.80', over('wan0', '203.0.113.7', '203.0.113.1'), 'noRoute'],
    ['in the subnet of the WAN', '203.0.113.9', over('wan0', '203.0.113.7'), 'noRoute'],
    ['in its LAN', '10.13.1.9', over(lan, '10.13.1.1'), 'noRoute'],
    ['over another network', '10.99.0.1', over('ov2c1', '100.64.32.21', '100.64.32.1'), 'noRoute'],
    ['with an address of another network', '10.13.2.5', over('ov1c1', '100.64.32.21', '100.64.0.1'), 'noRoute'],
    ['to itself', INNER, { type: 'local', dst: INNER, dev: 'lo', prefsrc: INNER }, 'noRoute'],
    ['to a broadcast address', '100.64.15.255', { type: 'broadcast', ...over('ov1c1', INNER) }, 'noRoute'],
    ['without a route', '10.13.2.5', undefined, 'noRoute'],
    ['to multicast', '224.0.0.9', over('ov1c1', INNER), 'address'],
    ['to loopback', '127.0.0.1', over('ov1c1', INNER), 'address'],
    ['to the zero network', '0.1.2.3', over('ov1c1', INNER), 'address'],
  ] as const)('sends nothing %s', async (_, destination, found, reason) => {
    for (const question of [ping(destination), { kind: 'traceroute', network_number: 'N1', destination } as const]) {
      const { ran, answer } = device(found === undefined ? [] : [found])
      await expect(answer(question)).rejects.toThrow(QUESTION_REFUSAL[reason])
      expect(ran.filter((line) => !line.startsWith('ip '))).toEqual([])
    }
  })

  it('knows no network that the device does not run', async () => {
    await expect(device([]).answer({ ...ping('10.13.2.5'), network_number: 'N9' })).rejects.toThrow(
      QUESTION_REFUSAL.network,
    )
  })
})

describe('the route of an address', () => {
  const MATCH = { dst: '10.13.2.0/24', dev: 'ov1c1', gateway: '100.64.0.1' }

  it.each([
    ['a link', over('ov1c1', INNER, '100.64.0.1'), { link: LINK }],
    ['a link between two', over('ov1x2', '100.127.1.2', '100.127.1.1'), { link: PAIR }],
    ['the LAN', over(lan, '10.13.1.1'), { local: 'lan' }],
    ['itself', { type: 'local', dst: INNER, dev: 'lo' }, { local: 'self' }],
    ['another network, without its name', over('ov2c1', '100.64.32.21', '100.64.32.1'), { other: true }],
    ['the WAN, without its address', over('wan0', '203.0.113.7', '203.0.113.1'), { wan: true }],
    ['nothing that forwards it', { type: 'unreachable', dst: '10.13.2.5' }, null],
  ] as const)('leads over %s', async (_, found, via) => {
    const { answer } = device([found, MATCH])
    const expected = { via, prefix: via === null ? null : '10.13.2.0/24', session: null, tunnel: '' }
    expect(await answer(route())).toEqual(expected)
  })

  it('ends at a LAN port without a cable, whose route the kernel keeps', async () => {
    const match = { dst: '10.13.1.0/24', dev: lan, flags: ['linkdown'] }
    const { answer } = device([over(lan, '10.13.1.1'), match])
    expect(await answer(route())).toEqual({ via: null, prefix: null, session: null, tunnel: '' })
  })

  it('is that of no packet: none is sent', async () => {
    const { ran, answer } = device([over('ov1c1', INNER, '100.64.0.1'), MATCH])
    await answer(route())
    expect(ran).toEqual(['ip -j -4 route get 10.13.2.5', 'ip -j -4 route get fibmatch 10.13.2.5'])
  })

  it('has the prefix of a default route', async () => {
    const { answer } = device([over('ov1c1', INNER, '100.64.0.1'), { dst: 'default', dev: 'ov1c1' }])
    expect(await answer(route())).toMatchObject({ prefix: '0.0.0.0/0' })
  })

  it('of a LAN address is looked up as its packet comes in; of a foreign one it is refused', async () => {
    const { ran, answer } = device([over('ov1c1', INNER, '100.64.0.1'), MATCH])
    await answer(route({ source: '10.13.1.9' }))
    expect(ran[1]).toBe(`ip -j -4 route get 10.13.2.5 from 10.13.1.9 iif ${lan}`)
    await expect(device([]).answer(route({ source: '10.13.7.9' }))).rejects.toThrow(QUESTION_REFUSAL.source)
  })

  it('in transit is looked up as it comes out of the tunnel', async () => {
    const { ran, answer } = device([over('ov1r', '100.64.0.1', '100.64.0.22'), MATCH], CENTER)
    expect(await answer(route({ arrival: LINK }))).toMatchObject({ via: { link: 'N1:NL-P2>NL-A' } })
    expect(ran[0]).toBe(`ip -j -4 route get 10.13.2.5 from ${INNER} iif ov1r`)
    await expect(device([], CENTER).answer(route({ arrival: 'N1:X>Y' }))).rejects.toThrow(QUESTION_REFUSAL.network)
  })

  it.each([
    ['up', { up: true }, { session: 'up', tunnel: '' }],
    ['without a session', { up: false, tunnel: { reason: LINK_REASON.noSession } }, { session: 'down', tunnel: '' }],
    ['down', { up: false, tunnel: { reason: LINK_REASON.noAnswer } }, { session: null, tunnel: LINK_REASON.noAnswer }],
  ])('tells about a link that is %s', async (_, report, expected) => {
    const { answer } = device([over('ov1c1', INNER, '100.64.0.1'), MATCH], POINT, '', { [LINK]: report })
    expect(await answer(route())).toMatchObject(expected)
  })
})

describe('a network of a node', () => {
  const FILE = '/proc/7/ns/net'

  it('is asked in its namespace and its main table, where any other interface is not its own', async () => {
    const ran: [string | null, string][] = []
    const route = { dst: '198.51.100.8', dev: 'nlv1', gateway: '169.254.0.1', prefsrc: '169.254.0.2' }
    const answer = linuxAnswers({
      networkOf: (number) => askedNetwork(POINT, number, FILE),
      run: async (namespace, name, args) => {
        ran.push([namespace, [name, ...args].join(' ')])
        return { code: 0, stdout: args.includes('table') ? '[]' : JSON.stringify([route]), stderr: '' }
      },
      hasProgram: async () => true,
      chosenRoutes: async () => [],
      reportOf: () => undefined,
    })
    const asked = { network_number: 'N1', destination: '198.51.100.8', source: null, arrival: null } as const
    expect(await answer({ kind: 'route', ...asked })).toMatchObject({ via: { other: true } })
    await expect(answer(ping('198.51.100.8'))).rejects.toThrow(QUESTION_REFUSAL.noRoute)
    await expect(answer({ kind: 'route', ...asked, source: '10.13.1.9' })).rejects.toThrow(QUESTION_REFUSAL.source)
    await answer({ kind: 'routes', network_number: 'N1', offset: 0 })
    expect(ran.at(-1)).toEqual([FILE, 'ip -N -j -4 route show table 254'])
    expect(ran.every(([namespace]) => namespace === FILE)).toBe(true)
  })
})

describe('the routes of a network', () => {
  const asked = askedNetwork(POINT, 'N1')!

  it('are those over its links: once for each that shares the load, without connected ones and other networks', () => {
    const table = [
      { dst: '10.13.2.0/24', gateway: '100.64.0.1', dev: 'ov1c1', protocol: '186' },
      { dst: '100.64.0.0/20', dev: 'ov1c1', protocol: '2' },
      { dst: '10.99.0.0/24', gateway: '100.64.32.1', dev: 'ov2c1', protocol: '186' },
      { dst: '10.40.0.0/16', gateway: '10.13.1.9', dev: lan, protocol: '110' },
      {
        dst: 'default',
        protocol: '186',
        nexthops: [
          { gateway: '100.64.0.1', dev: 'ov1c1' },
          { gateway: '100.127.1.1', dev: 'ov1x2' },
        ],
      },
    ]
    expect(parseTable(JSON.stringify(table), asked)).toEqual([
      ['10.13.2.0/24', LINK],
      ['0.0.0.0/0', LINK],
      ['0.0.0.0/0', PAIR],
    ])
  })

  it('that BGP has chosen and the kernel lacks are lost: link by link, without those of other networks', () => {
    const kernel = [['10.13.2.0/24', LINK] as const]
    const chosen = [
      { prefix: '10.13.2.0/24', peer: '100.64.0.1' },
      { prefix: '10.13.2.0/24', peer: '100.127.1.1' },
      { prefix: '10.13.3.0/24', peer: '100.64.0.1' },
      { prefix: '10.99.0.0/24', peer: '100.64.32.1' },
    ]
    expect(listLost(chosen, kernel, asked)).toEqual([
      ['10.13.2.0/24', PAIR],
      ['10.13.3.0/24', LINK],
    ])
  })

  it('that are lost come after those of the kernel, also within a page', () => {
    const kernel = [['10.13.2.0/24', LINK] as const]
    const lost = [['10.13.2.0/24', PAIR] as const, ['10.13.3.0/24', LINK] as const]
    expect(pageOf(kernel, lost, 0)).toEqual({
      total: 3,
      links: [LINK, PAIR],
      rows: [['10.13.2.0/24', 0]],
      lost: [
        ['10.13.2.0/24', 1],
        ['10.13.3.0/24', 0],
      ],
    })
    expect(pageOf(kernel, lost, 2)).toEqual({ total: 3, links: [LINK], rows: [], lost: [['10.13.3.0/24', 0]] })
    expect(pageOf(kernel, [], 0)).toEqual({ total: 1, links: [LINK], rows: [['10.13.2.0/24', 0]] })
  })

  it('are known without an answer of BGP', async () => {
    const answer = linuxAnswers({
      networkOf: () => asked,
      run: async () => ({ code: 0, stdout: JSON.stringify([{ dst: '10.13.2.0/24', dev: 'ov1c1' }]), stderr: '' }),
      hasProgram: async () => true,
      chosenRoutes: () => Promise.reject(new Error('bgpd does not answer')),
      reportOf: () => undefined,
    })
    const routes = await answer({ kind: 'routes', network_number: 'N1', offset: 0 })
    expect(routes).toEqual({ total: 1, links: [LINK], rows: [['10.13.2.0/24', 0]] })
  })

  it('come in pages that fit into a result, whatever the length of their links', () => {
    const routes = Array.from(
      { length: 2_000 },
      (_, n) => [`10.${n >> 8}.${n & 255}.0/24`, `N1:${'x'.repeat(60)}${n}>${'y'.repeat(60)}`] as const,
    )
    let offset = 0
    for (; offset < routes.length;) {
      const page = pageOf(routes, [], offset)
      expect(JSON.stringify(page).length).toBeLessThan(JOB.dataMax)
      expect(page.rows.map(([prefix, link]) => [prefix, page.links[link]])).toEqual(
        routes.slice(offset, offset + page.rows.length),
      )
      expect(page.rows.length).toBeGreaterThan(0)
      offset += page.rows.length
    }
    expect(offset).toBe(2_000)
  })
})

describe('answers of programs', () => {
  it('of a ping that nobody answers', () => {
    const text = 'From 100.64.0.1 icmp_seq=1 Destination Host Unreachable\n'
    expect(parsePing(text, INNER, 2)).toEqual({ source: INNER, sent: 2, received: 0, times_ms: [null, null] })
  })

  it('of a traceroute end with the last hop that answered', () => {
    const text = ` 1  100.64.0.1  2.1 ms\n${Array.from({ length: 15 }, (_, n) => ` ${n + 2}  *\n`).join('')}`
    expect(parseTraceroute(text, INNER).hops).toEqual([{ ip: '100.64.0.1', rtt_ms: 2.1 }])
    expect(parseTraceroute(' 1  *\n 2  *\n', INNER).hops).toEqual([{ ip: null, rtt_ms: null }])
    expect(parseTraceroute(' 1  100.64.0.1  3.0 ms !H\n', INNER).hops).toHaveLength(1)
  })
})

describe('a question', () => {
  const command = { t: 'command', id: 'q1', kind: 'ping', params: { network_number: 'N1' }, expires_at: 0 } as const

  it('of a form that the device does not know is refused, and a fault stays on the device', async () => {
    const faults: unknown[] = []
    const answer = answerQuestion(
      command,
      async () => ({}),
      (error) => faults.push(error),
    )
    expect(await answer).toEqual({ t: 'job_result', id: 'q1', state: 'failed', reason: QUESTION_FAILED })
    expect(faults).toHaveLength(1)
    const params = { network_number: 'N1', destination: '10.0.0.1', count: QUESTION.countMax + 1 }
    const many = answerQuestion(
      { ...command, params },
      async () => ({}),
      () => {},
    )
    expect(await many).toMatchObject({ state: 'failed' })
  })
})
