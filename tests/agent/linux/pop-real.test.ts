import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { UNIT_CAPABILITIES } from '#infra/agent/drivers/linux/unit-capabilities.ts'
import { device, members, network, pop, popNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** A POP node with the networks of two customers that have the same segments, and a router of each. */
const canRun = canRunTunnels('no POP node runs')

const LIMIT = { timeout: 20_000, interval: 100 }
const NODE = '100.65.16.1'

describe.skipIf(!canRun)('a POP node with two customers of the same segments', { timeout: 120_000 }, () => {
  let authorities: Authority[]
  let certificates: string[]
  let node: Device
  let routers: Device[]
  let documents: RouterDocument[]

  const numbers = ['N1', 'N2'] as const
  const portOf = (index: number) => 21_000 + 10 * index
  const keyOf = (index: number) => `${index}b`.repeat(32)
  const nameOf = (index: number) => `NL-P${index + 1}`
  /** Hosts differ, so that the address of the one shows which network it is. */
  const addressOf = (index: number) => `100.65.16.${21 + index}`

  beforeEach(() => {
    authorities = numbers.map((_, index) => new Authority(`a${index}`.repeat(16)))
    node = new Device('n', 'node')
    routers = numbers.map((_, index) => new Device(`m${index}`))
    for (const [index, router] of routers.entries())
      connectDevices(node, `203.0.113.${4 * index + 1}/30`, router, `203.0.113.${4 * index + 2}/30`, `wan${index}`)
    const own = authorities[0]!.issue('POP-1', 'gateway')
    certificates = [own.certificate, authorities[1]!.certify('POP-1', own.key, 'gateway')]
    const keys = routers.map((_, index) => authorities[index]!.issue(nameOf(index)))
    documents = routers.map((_, index) => authorities[index]!.equip(routerDocument(index), keys[index]!.certificate))
    for (const [index, each] of [node, ...routers].entries()) {
      mkdirSync(join(each.state, 'keys'), { mode: 0o700 })
      const key = index === 0 ? own.key : keys[index - 1]!.key
      writeFileSync(join(each.state, 'keys/router.key'), key, { mode: 0o600 })
    }
  })
  afterEach(async ({ task }) => {
    const all = [node, ...routers]
    if (task.result?.state === 'fail') console.log(all.map((each) => each.logs()).join('\n'))
    for (const each of all.toReversed()) await each.remove()
    for (const authority of authorities) authority.remove()
  })

  const routerDocument = (index: number): RouterDocument =>
    device(nameOf(index), 21 + index, '10.13.1.0/24', [
      network({
        network_number: numbers[index]!,
        members: members(nameOf(index)),
        links: [
          {
            ...pop(1, 50),
            id: `${numbers[index]}:${nameOf(index)}>POP-1`,
            remotes: [{ host: `203.0.113.${4 * index + 1}`, port: portOf(index) }],
            key: keyOf(index),
            endpoint: { host: NODE, port: 40_000 },
            local_ip: addressOf(index),
            remote_ip: NODE,
            peer_asn: 4_200_000_901,
          },
        ],
      }),
    ])

  /** @param certificate of the second customer. */
  function nodeDocument(certificate = certificates[1]!, rate = 100): RouterDocument {
    const parts = numbers.map((number, index) => {
      const base = popNetwork(number, portOf(index))
      const [, link] = base.links
      const links = [
        {
          ...link!,
          id: `${number}:${nameOf(index)}>POP-1`,
          key: keyOf(index),
          peer: nameOf(index),
          remote_ip: addressOf(index),
          peer_asn: 4_200_000_021 + index,
        },
      ]
      const servers = base.servers!.map((server) => ({ ...server, rate_mbps: rate }))
      const document = device('POP-1', 901, '10.0.0.0/24', [{ ...base, links, servers }])
      return authorities[index]!.equip(document, index === 0 ? certificates[0]! : certificate)
    })
    return {
      ...parts[0]!,
      networks: parts.flatMap((part) => part.networks),
      authorities: parts.flatMap((part) => part.authorities ?? []),
    }
  }

  const linksOf = (document: RouterDocument) => document.networks.flatMap(({ links }) => links)
  /** Report of a link whose probes are answered in the namespace of its network. */
  const answered = { id: expect.any(String), up: true, rtt_ms: expect.any(Number) }
  const inside = (slot: number, ...command: string[]): string => {
    const file = `/proc/${node.allPids()[`place-${slot}`]}/ns/net`
    return spawnSync('nsenter', [`--net=${file}`, '--', ...command], { encoding: 'utf8' }).stdout
  }
  const routesOf = (slot: number) => inside(slot, 'ip', 'route', 'show', '10.13.1.0/24').trim()
  const isJoined = (index: number) =>
    vi.waitFor(() => {
      expect(routers[index]!.reaches(NODE)).toBe(true)
      expect(routesOf(index + 1)).toContain(`via ${addressOf(index)} dev ov${index + 1}r`)
    }, LIMIT)

  async function start(...prefix: string[]): Promise<void> {
    node.start(...prefix)
    for (const router of routers) router.start()
    expect(await node.validate(nodeDocument())).toBeNull()
    expect(await node.refusals(nodeDocument())).toEqual([])
    for (const [index, router] of routers.entries()) await router.apply(documents[index]!)
    await Promise.all([isJoined(0), isJoined(1)])
  }

  it('lets each reach its own alone, limits them, and leaves nothing behind', async () => {
    await start()
    expect(routers[0]!.reaches(addressOf(1))).toBe(false)
    expect(routers[1]!.reaches(addressOf(0))).toBe(false)
    expect(inside(1, 'tc', 'qdisc', 'show')).toMatch(/tbf 6e6c: dev ov1r root .* rate 100Mbit/)
    expect(inside(1, 'ip', '-br', 'link')).not.toMatch(/wan|ov2/)
    expect(inside(1, 'ip', 'route', 'show', 'default')).toBe('')
    expect(node.exec('ip', '-br', 'link')).not.toContain('ov')
    expect(node.exec('nft', 'list', 'tables')).toBe('table inet netloom_pop\n')
    for (const each of [node, ...routers])
      await each.watch(each === node ? linksOf(nodeDocument()) : linksOf(documents[routers.indexOf(each)]!))
    for (const router of routers)
      await vi.waitFor(async () => expect(await router.reports()).toMatchObject([answered]), LIMIT)
    expect(await node.place('N2')).toMatchObject({ table: 254, devices: ['ov2r', 'ov2s'], lans: [] })

    const pids = node.allPids()
    expect(await node.apply(nodeDocument())).toEqual([])
    await node.apply(nodeDocument(certificates[1], 50)) // a rate alone
    expect(inside(1, 'tc', 'qdisc', 'show')).toMatch(/tbf 6e6c: dev ov1r root .* rate 50Mbit/)
    expect(node.allPids()).toEqual(pids)

    expect(await node.apply({ ...nodeDocument(), networks: nodeDocument().networks.slice(0, 1) })).toEqual(['N1', 'N2'])
    expect(Object.keys(node.allPids()).filter((name) => /2/.test(name))).toEqual([])
    expect(routers[0]!.reaches(NODE)).toBe(true)
    expect(await node.apply(null)).toEqual(['N1'])
    expect([node.allPids(), node.exec('nft', 'list', 'tables')]).toEqual([{}, ''])
    expect(existsSync(join(node.state, 'networks/1/keys'))).toBe(false)
  })

  it('has the interface of a killed server back in its namespace, and its routing; an agent that follows adopts all', async () => {
    await start()
    const before = node.allPids()
    for (const name of ['ov1r', 'bgpd-1', 'place-2']) process.kill(before[name]!, 'SIGKILL')
    const isBack = async () => {
      for (const name of ['ov1r', 'bgpd-1', 'place-2'])
        expect([name, node.allPids()[name]]).not.toEqual([name, before[name]])
      for (const name of ['ov1r', 'bgpd-1', 'place-2']) expect(node.allPids()[name]).toBeGreaterThan(0)
    }
    await vi.waitFor(isBack, LIMIT)
    await Promise.all([isJoined(0), isJoined(1)])
    expect(node.allPids()['zebra-1']).toBe(before['zebra-1'])

    const pids = node.allPids()
    await node.kill()
    node.start()
    expect(await node.refusals(nodeDocument())).toEqual([])
    expect(node.allPids()).toEqual(pids)
    await vi.waitFor(async () => expect(await node.tunnel('ov1r')).toEqual({ isUp: true, clients: ['NL-P1'] }), LIMIT)
    // and controls what it adopted
    process.kill(pids['ov2r']!, 'SIGKILL')
    await vi.waitFor(() => expect(node.allPids()['ov2r']).not.toBe(pids['ov2r']), LIMIT)
    await isJoined(1)
  })

  it('refuses a network by itself, which goes on as it was, also after a start; under exactly the capabilities of the unit', async () => {
    const list = ['-all', ...Object.keys(UNIT_CAPABILITIES).map((name) => `+${name.slice(4).toLowerCase()}`)].join(',')
    const [, , group = ''] =
      readFileSync('/etc/group', 'utf8')
        .match(/^frrvty:.*$/m)?.[0]
        .split(':') ?? []
    const confined = ['setpriv', '--bounding-set', list, '--inh-caps', list, '--groups', group, '--no-new-privs']
    await start(...confined)
    const pids = node.allPids()
    const foreign = authorities[1]!.issue('POP-9', 'gateway').certificate
    const refused = [{ network_number: 'N2', reason: '配置校验失败：组网N2的证书与设备的密钥不一致' }]
    expect(await node.refusals(nodeDocument(foreign, 50))).toEqual(refused)
    expect(inside(1, 'tc', 'qdisc', 'show')).toContain('rate 50Mbit')
    expect(inside(2, 'tc', 'qdisc', 'show')).toContain('rate 100Mbit')
    expect(node.allPids()).toEqual(pids)

    await node.kill()
    for (const pid of Object.values(node.allPids())) process.kill(pid, 'SIGKILL') // as the machine's end does
    node.start(...confined)
    expect(await node.refusals(nodeDocument(foreign, 50))).toEqual(refused)
    await Promise.all([isJoined(0), isJoined(1)])
    expect(await node.apply(null)).toEqual(['N1', 'N2'])
    expect(node.allPids()).toEqual({})
  })
})
