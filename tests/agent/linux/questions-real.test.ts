import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DeviceQuestion, QUESTION_REFUSAL, type QuestionAnswer } from '#contract/device/questions.ts'
import type { ChosenRoute } from '#infra/agent/drivers/linux/frr/chosen-routes.ts'
import { askedNetwork } from '#infra/agent/drivers/linux/questions/asked-network.ts'
import { linuxAnswers } from '#infra/agent/drivers/linux/questions/question-jobs.ts'
import { Namespaces, ip, runInside } from '../support/namespaces.ts'
import { access, pair, point, pointNetwork } from '../support/tunnel-parts.ts'
import { renderingOf, withKeys } from './support/renderings.ts'
import { hasNamespaces } from './support/real-tools.ts'

const missing = ['/usr/bin/ping'].filter((path) => !existsSync(path))
const canRun = hasNamespaces && missing.length === 0
const hasTraceroute = existsSync('/usr/bin/traceroute') || existsSync('/usr/sbin/traceroute')
if (!canRun) console.log(`skipped: questions (${missing.join(', ') || 'root and network namespaces'} needed)`)

const LINK = 'N1:NL-P1>NL-A'
const INNER = '100.64.0.21'
/** A host behind the centre; the WAN has one with the same address. */
const HOST = '10.12.0.9'
const FAR = '198.51.100.8'

const document = point(
  pointNetwork({}, [access('N1', 1, 'A').client, pair('client')]),
  pointNetwork({ network_number: 'N2' }, [access('N2', 1, 'B').client]),
)
const rendering = renderingOf(withKeys(document))

describe.skipIf(!canRun)('questions on a real kernel', () => {
  let spaces: Namespaces
  let router: string
  let center: string
  let wan: string
  let host: string

  let chosen: readonly ChosenRoute[] = []
  const answer = linuxAnswers({
    networkOf: (number) => askedNetwork(rendering, number),
    run: async (_, name, args) => {
      const { status, stdout, stderr } = spawnSync('ip', ['netns', 'exec', router, name, ...args], { encoding: 'utf8' })
      return { code: status ?? -1, stdout, stderr }
    },
    hasProgram: async () => true,
    chosenRoutes: async () => chosen,
    reportOf: () => undefined,
  })
  const ping = (destination: string, network_number = 'N1') =>
    answer({ kind: 'ping', network_number, destination, count: 1 }) as Promise<QuestionAnswer<'ping'>>
  const route = (over: object = {}) =>
    answer({
      kind: 'route',
      network_number: 'N1',
      destination: HOST,
      source: null,
      arrival: null,
      ...over,
    } as DeviceQuestion) as Promise<QuestionAnswer<'route'>>
  const learn = (...line: readonly string[]) =>
    ip('-n', router, 'route', 'add', ...line, 'table', '200', 'proto', '186')
  /** Echo requests that came by the WAN or the other network. */
  const leaked = (): number => {
    const lines = runInside(wan, 'cat', '/proc/net/snmp').split('\n')
    const [names = '', values = ''] = lines.filter((line) => line.startsWith('Icmp:'))
    return Number(values.split(' ')[names.split(' ').indexOf('InEchos')])
  }

  beforeEach(() => {
    spaces = new Namespaces()
    router = spaces.add('r')
    center = spaces.add('c')
    wan = spaces.add('w')
    host = spaces.add('l')
    spaces.connect([router, 'ov1c1', `${INNER}/20`], [center, 'ov1r', '100.64.0.1/20'])
    spaces.connect([router, 'ov2c1', '100.64.32.21/20'], [wan, 'ov2r', '100.64.32.1/20'])
    spaces.connect([router, 'wan0', '203.0.113.7/24'], [wan, 'eth0', '203.0.113.1/24'])
    spaces.connect([router, 'lan0', '10.13.1.1/24'], [host, 'eth0', '10.13.1.9/24'])
    ip('-n', router, 'route', 'add', 'default', 'via', '203.0.113.1')
    for (const space of [center, wan]) ip('-n', space, 'addr', 'add', `${HOST}/24`, 'dev', 'lo')
    const rules = rendering.files.get('ip/netloom.ip') ?? ''
    for (const line of rules.split('\n').filter((text) => text.startsWith('rule add')))
      ip('-n', router, ...line.split(' '))
    ip('-n', router, 'rule', 'add', 'pref', '230', 'iif', 'lan0', 'lookup', '200')
    runInside(router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.all.rp_filter=2')
  })
  afterEach(() => {
    chosen = []
    spaces.remove()
  })

  it('lets a ping out by the tunnel alone, with its inner address', async () => {
    learn('10.12.0.0/24', 'via', '100.64.0.1', 'dev', 'ov1c1')
    expect(await ping(HOST)).toMatchObject({ source: INNER, sent: 1, received: 1 })
    expect(leaked()).toBe(0)
  })

  it('sends nothing without a route of the network, to the internet, its LAN, or by another network', async () => {
    await expect(ping(HOST)).rejects.toThrow(QUESTION_REFUSAL.noRoute) // the WAN would have it
    await expect(ping(FAR)).rejects.toThrow(QUESTION_REFUSAL.noRoute)
    await expect(ping('203.0.113.1')).rejects.toThrow(QUESTION_REFUSAL.noRoute)
    await expect(ping('10.13.1.9')).rejects.toThrow(QUESTION_REFUSAL.noRoute)
    learn('10.99.0.0/24', 'via', '100.64.32.1', 'dev', 'ov2c1')
    await expect(ping('10.99.0.1')).rejects.toThrow(QUESTION_REFUSAL.noRoute)
    await expect(ping('100.64.32.1')).rejects.toThrow(QUESTION_REFUSAL.noRoute)
    expect(leaked()).toBe(0)
    expect(await ping('100.64.32.1', 'N2')).toMatchObject({ received: 1 })
  })

  it('knows the way of a packet: of its own, of its LAN, of another network, and of none', async () => {
    learn('10.12.0.0/24', 'via', '100.64.0.1', 'dev', 'ov1c1')
    learn('10.99.0.0/24', 'via', '100.64.32.1', 'dev', 'ov2c1')
    learn('default', 'via', '100.64.0.1', 'dev', 'ov1c1')
    expect(await route()).toMatchObject({ via: { link: LINK }, prefix: '10.12.0.0/24' })
    expect(await route({ destination: '10.99.0.1' })).toMatchObject({ via: { other: true } })
    expect(await route({ destination: FAR })).toMatchObject({ via: { wan: true } })
    expect(await route({ destination: FAR, source: '10.13.1.9' })).toMatchObject({
      via: { link: LINK },
      prefix: '0.0.0.0/0',
    })
    expect(await route({ destination: '10.13.1.9' })).toMatchObject({ via: { local: 'lan' } })
    expect(await route({ destination: INNER })).toMatchObject({ via: { local: 'self' } })
    await expect(route({ source: '10.12.0.9' })).rejects.toThrow(QUESTION_REFUSAL.source)
    ip('-n', host, 'link', 'set', 'eth0', 'down') // the cable is pulled
    expect(await route({ destination: '10.13.1.9' })).toMatchObject({ via: null, prefix: null })
    ip('-n', router, 'route', 'del', 'default')
    expect(await route({ destination: FAR })).toMatchObject({ via: null, prefix: null })
  })

  it('lists the routes of its network, also of a table that is empty', async () => {
    const routes = () => answer({ kind: 'routes', network_number: 'N1', offset: 0 })
    expect(await routes()).toEqual({ total: 0, links: [], rows: [] })
    learn('10.12.0.0/24', 'via', '100.64.0.1', 'dev', 'ov1c1')
    learn('10.99.0.0/24', 'via', '100.64.32.1', 'dev', 'ov2c1')
    expect(await routes()).toEqual({ total: 1, links: [LINK], rows: [['10.12.0.0/24', 0]] })
  })

  it('tells those that BGP has chosen for it and the kernel has lost', async () => {
    const routes = () => answer({ kind: 'routes', network_number: 'N1', offset: 0 })
    chosen = [
      { prefix: '10.12.0.0/24', peer: '100.64.0.1' },
      { prefix: '10.99.0.0/24', peer: '100.64.32.1' },
    ]
    expect(await routes()).toEqual({ total: 1, links: [LINK], rows: [], lost: [['10.12.0.0/24', 0]] })
    learn('10.12.0.0/24', 'via', '100.64.0.1', 'dev', 'ov1c1')
    expect(await routes()).toEqual({ total: 1, links: [LINK], rows: [['10.12.0.0/24', 0]] })
  })

  it.skipIf(!hasTraceroute)('traces the path over the tunnel', async () => {
    learn('10.12.0.0/24', 'via', '100.64.0.1', 'dev', 'ov1c1')
    const traced = await answer({ kind: 'traceroute', network_number: 'N1', destination: HOST })
    expect(traced).toMatchObject({ source: INNER, hops: [{ ip: HOST }] })
    expect(leaked()).toBe(0)
  })
})
