import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { renderOpenvpnClient } from '#infra/agent/drivers/render/openvpn-client.ts'
import { toStaticKey } from '#domain/client/static-key.ts'
import { type SentLink, device, popNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** Two POP nodes of one network: the link between them, and a software member that dials one of them. */
const canRun = canRunTunnels('no POP nodes are joined')

const LIMIT = { timeout: 20_000, interval: 100 }
const HOSTS = ['203.0.113.1', '203.0.113.2']
const ROUTERS = ['100.65.16.1', '100.65.32.1']
const SOFTWARE = ['100.65.128.1', '100.65.144.1']
const PROBE_PORT = 40_000

describe.skipIf(!canRun)('two POP nodes of a network', { timeout: 120_000 }, () => {
  let authority: Authority
  let nodes: Device[]
  let documents: RouterDocument[]
  beforeEach(async () => {
    authority = new Authority()
    nodes = [new Device('n1', 'node'), new Device('n2', 'node')]
    connectDevices(nodes[0]!, `${HOSTS[0]}/30`, nodes[1]!, `${HOSTS[1]}/30`)
    documents = []
    for (const [index, node] of nodes.entries()) {
      const { key, certificate } = authority.issue(`POP-${index + 1}`, 'gateway')
      mkdirSync(join(node.state, 'keys'), { mode: 0o700 })
      writeFileSync(join(node.state, 'keys/router.key'), key, { mode: 0o600 })
      documents.push(authority.equip(nodeDocument(index), certificate))
      node.start()
    }
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(nodes.map((node) => node.logs()).join('\n'))
    for (const node of nodes.toReversed()) await node.remove()
    authority.remove()
  })

  async function applyAll(): Promise<void> {
    expect(await Promise.all(nodes.map((node, index) => node.refusals(documents[index]!)))).toEqual([[], []])
  }

  function nodeDocument(index: number): RouterDocument {
    const base = popNetwork('N1', 21_000)
    const other = 1 - index
    const [, , backbone] = base.links
    const ends: Partial<SentLink> =
      index === 0
        ? { endpoint: { host: ROUTERS[1]!, port: PROBE_PORT }, remotes: [{ host: HOSTS[1]!, port: 21_002 }] }
        : { role: 'server', remotes: [], port: 21_002 }
    const link: SentLink = {
      ...backbone!,
      ...ends,
      peer: `POP-${other + 1}`,
      local_ip: ROUTERS[index]!,
      remote_ip: ROUTERS[other]!,
      peer_asn: 4_200_000_901 + other,
      rate_mbps: 20,
    }
    const accounts = [{ id: 9, name: 'a.b@qiming', ip: '100.65.128.9' }]
    const servers = base.servers!.map((server) =>
      server.service === 'router'
        ? { ...server, ip: ROUTERS[index]! }
        : { ...server, ip: SOFTWARE[index]!, accounts: index === 0 ? accounts : [], routes: ['100.65.144.0/20'] },
    )
    return device(`POP-${index + 1}`, 901 + index, '10.0.0.0/24', [{ ...base, servers, links: [link] }])
  }

  const inside = (node: Device, ...command: string[]): string => {
    const file = `/proc/${node.allPids()['place-1']}/ns/net`
    return spawnSync('nsenter', [`--net=${file}`, '--', ...command], { encoding: 'utf8' }).stdout
  }
  const joinNodes = async () => {
    await applyAll()
    await vi.waitFor(() => {
      expect(inside(nodes[0]!, 'ip', 'route')).toContain(`100.65.144.0/20 nhid`)
      expect(inside(nodes[1]!, 'ip', 'route')).toContain(`100.65.128.0/20 nhid`)
    }, LIMIT)
  }
  const isAnswered = () => inside(nodes[0]!, 'ping', '-n', '-c1', '-W1', ROUTERS[1]!).includes(' 0% packet loss')

  it('join by a link that is limited, probed and counted, and that comes back by itself', async () => {
    await joinNodes()
    expect(inside(nodes[0]!, 'tc', 'qdisc', 'show', 'dev', 'ov1x1')).toContain('rate 20Mbit')
    for (const [index, node] of nodes.entries()) await node.watch(documents[index]!.networks[0]!.links)
    await vi.waitFor(async () => {
      expect(await nodes[0]!.reports()).toMatchObject([{ up: true, rtt_ms: expect.any(Number) }])
      expect(await nodes[1]!.reports()).toMatchObject([{ up: true }])
    }, LIMIT)
    expect(Object.keys(await nodes[0]!.linkCounters())).toEqual(['N1:POP-1>POP-2'])
    const own = { network_number: 'N1', destination: ROUTERS[1]! }
    expect(await nodes[0]!.question({ kind: 'ping', ...own, count: 1 })).toMatchObject({
      source: ROUTERS[0],
      received: 1,
    })
    const link = 'N1:POP-1>POP-2'
    expect(await nodes[0]!.question({ kind: 'routes', network_number: 'N1', offset: 0 })).toEqual({
      total: 1,
      links: [link],
      rows: [['100.65.144.0/20', 0]],
    })
    await expect(nodes[0]!.question({ kind: 'ping', ...own, destination: HOSTS[1]!, count: 1 })).rejects.toThrow(
      '没有经本组网到达该地址的路由',
    )
    const { ov1x1: before } = nodes[0]!.pids()
    process.kill(before!, 'SIGKILL')
    await vi.waitFor(() => expect(nodes[0]!.pids()['ov1x1'] ?? before).not.toBe(before), LIMIT)
    await vi.waitFor(() => expect(isAnswered()).toBe(true), LIMIT)
  })

  it('are dialled by a software member, who reaches the segment behind the other node', async () => {
    await joinNodes()
    const host = new Device('h')
    let client: ChildProcess | undefined
    try {
      connectDevices(nodes[0]!, '203.0.113.5/30', host, '203.0.113.6/30', 'wan1')
      const write = (name: string, text: string): string => {
        writeFileSync(join(host.state, name), text, { mode: 0o600 })
        return join(host.state, name)
      }
      const files = { ca: write('ca', authority.certificate), control: write('key', toStaticKey('5a'.repeat(256))) }
      const servers = [{ remotes: [{ host: '203.0.113.5', port: 21_001 }] }]
      const profile = renderOpenvpnClient(
        { ciphers: 'default', servers } as Parameters<typeof renderOpenvpnClient>[0],
        files,
      )
      const login = write('login', 'a.b@qiming\ntoken\n')
      const config = write('c.ovpn', `${profile}auth-user-pass ${login}\nsetenv CLIENT_CERT 0\n`)
      client = spawn('ip', ['netns', 'exec', host.namespace, 'openvpn', '--config', config], { stdio: 'ignore' })
      await vi.waitFor(() => expect(host.reaches(SOFTWARE[1]!)).toBe(true), LIMIT)
      expect((await nodes[0]!.asked()).map(({ name, network_number: number }) => [name, number])).toEqual([
        ['a.b@qiming', 'N1'],
      ])
      await nodes[0]!.endDial('N1', 'a.b@qiming', true)
      await vi.waitFor(() => expect(host.reaches(SOFTWARE[0]!)).toBe(false), LIMIT)
    } finally {
      client?.kill('SIGKILL')
      await host.remove()
    }
  })
})
