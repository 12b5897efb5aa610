import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '#infra/agent/clock.ts'
import { ConntrackFlows } from '#infra/agent/flows/conntrack-flows.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'

const TOOLS = ['/usr/sbin/conntrack', '/usr/sbin/ip', '/usr/sbin/nft']
const BYTES = 8_000_000
const [CLIENT, ROUTER, SERVER] = ['nl-test-c', 'nl-test-r', 'nl-test-s']

const inside = (netns: string, ...command: string[]) =>
  execFileSync('ip', ['netns', 'exec', netns, ...command], { encoding: 'utf8', timeout: 20_000 })

/** A client and a server in namespaces of their own, with a router between them that tracks connections. */
function makeNamespaces(): boolean {
  const why =
    process.getuid?.() !== 0
      ? 'this is not root'
      : TOOLS.find((tool) => !existsSync(tool)) && 'apt-get install conntrack iproute2 nftables'
  if (why) {
    process.stdout.write(`Flows are not counted through a real conntrack: ${why}\n`)
    return false
  }
  try {
    for (const netns of [CLIENT, ROUTER, SERVER]) execFileSync('ip', ['netns', 'add', netns], { stdio: 'pipe' })
    for (const [peer, link, near, far] of [
      [CLIENT, 'lan0', '10.77.1.1/24', '10.77.1.5/24'],
      [SERVER, 'wan0', '203.0.113.1/24', '203.0.113.7/24'],
    ] as const) {
      inside(ROUTER, 'ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', peer)
      inside(ROUTER, 'ip', 'addr', 'add', near, 'dev', link)
      inside(ROUTER, 'ip', 'link', 'set', link, 'up')
      inside(peer, 'ip', 'addr', 'add', far, 'dev', 'eth0')
      inside(peer, 'ip', 'link', 'set', 'eth0', 'up')
      inside(peer, 'ip', 'route', 'add', 'default', 'via', near.split('/')[0] ?? '')
    }
    inside(
      ROUTER,
      'sh',
      '-c',
      'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/netfilter/nf_conntrack_acct',
    )
    inside(
      ROUTER,
      'nft',
      'add table inet t; add chain inet t f { type filter hook forward priority 0 ; }; add rule inet t f ct state new accept',
    )
    return true
  } catch (error) {
    process.stdout.write(`Flows are not counted through a real conntrack: ${String(error).split('\n')[0]}\n`)
    return false
  }
}

const deleteNamespaces = () => {
  for (const netns of [CLIENT, ROUTER, SERVER])
    try {
      execFileSync('ip', ['netns', 'delete', netns], { stdio: 'pipe' })
    } catch {
      // there was none
    }
}

const SERVE = `require('node:http').createServer((q, s) => s.end(Buffer.alloc(${BYTES}))).listen(8443, () => console.log('up'))`
const FETCH = `fetch('http://203.0.113.7:8443/').then((r) => r.arrayBuffer()).then((b) => console.log(b.byteLength))`

if (process.getuid?.() === 0) deleteNamespaces()
const hasNamespaces = makeNamespaces()
let server: ReturnType<typeof spawn> | undefined
afterAll(() => {
  server?.kill()
  if (process.getuid?.() === 0) deleteNamespaces()
})

const wanBytes = () => {
  const line =
    inside(ROUTER, 'cat', '/proc/net/dev')
      .split('\n')
      .find((text) => text.includes('wan0:')) ?? ''
  const [rx, , , , , , , , tx] = line
    .replace(/.*wan0:\s*/, '')
    .split(/\s+/)
    .map(Number)
  return { rx: rx ?? 0, tx: tx ?? 0 }
}
const port = (name: string, role: 'lan' | 'wan', ip: string): InterfaceInfo => ({
  interface: name,
  interface_uuid: name,
  protocol: 'static',
  role,
  ip,
  mask: 24,
  mac: '',
  mtu: 1500,
  up: true,
})

describe('directory 2 · downloads through a real conntrack', () => {
  it.runIf(hasNamespaces)(
    'are within 1 % of what the interface counts, with connections that last and that have ended',
    async () => {
      server = spawn('ip', ['netns', 'exec', SERVER, process.execPath, '-e', SERVE], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((done) => server?.stdout?.once('data', done))
      const flows = await ConntrackFlows.open({
        clock: systemClock,
        store: memoryStore(),
        machine: {
          bootId: 'boot 1',
          interfaces: async () => [port('lan0', 'lan', '10.77.1.1'), port('wan0', 'wan', '203.0.113.1')],
        },
        log: silentLog,
        command: ['ip', 'netns', 'exec', ROUTER, 'conntrack'],
        serviceAt: () => null,
      })
      await flows.dump()
      flows.serve({ router_name: 'R', networks: [], bandwidth_mbps: 50 })
      const before = wanBytes()
      for (let i = 0; i < 3; i++) expect(inside(CLIENT, process.execPath, '-e', FETCH).trim()).toBe(String(BYTES))
      await flows.dump()
      flows.stop()
      const after = wanBytes()
      const hour = Math.floor(Date.now() / 3_600_000)
      const slots = [...flows.read(hour - 1).slots, ...flows.read(hour).slots]
      const sum = (of: 1 | 2) => slots.flatMap(({ apps }) => apps).reduce((all, row) => all + row[of], 0)
      expect(sum(2) / (after.rx - before.rx)).toBeGreaterThan(0.99)
      expect(sum(2) / (after.rx - before.rx)).toBeLessThan(1.01)
      expect(slots.flatMap(({ apps }) => apps.map(([name]) => name))).toContain('HTTPS')
      expect(new Set(slots.flatMap(({ sources }) => sources.map(([name]) => name)))).toEqual(new Set(['10.77.1.5']))
    },
  )
})
