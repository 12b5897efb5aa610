import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import { hasNamespaces } from './linux/support/real-tools.ts'
import { KEY } from './support/documents.ts'
import { Namespaces, ip } from './support/namespaces.ts'

const PORT = 7000
const V4 = '10.77.1.1'
const V6 = 'fd77::1'
if (!hasNamespaces) console.log('skipped: probes of two families (root and network namespaces needed)')

const spaces = new Namespaces()
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  spaces.remove()
})

/** A prober in a namespace, with its newest reports. */
function probeIn(space: string, links: readonly LinkEnd[]): () => readonly LinkReport[] {
  const script = ['tests/agent/support/probe-process.ts', '--port', String(PORT), '--links', JSON.stringify(links)]
  const child = spawn('ip', ['netns', 'exec', space, process.execPath, ...script])
  children.push(child)
  let newest: readonly LinkReport[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => (newest = JSON.parse(line)))
  return () => newest
}

const target = (host: string) => ({ host, port: PORT })
const toLink = (role: 'client' | 'server', point: string, key: string, hosts: readonly string[]): LinkEnd => ({
  id: `N1:${point}>C`,
  peer: role === 'client' ? 'C' : point,
  role,
  endpoint: role === 'client' ? target(hosts[0]!) : null,
  ...(hosts.length > 1 && { endpoints: hosts.map(target) }),
  key,
})

describe.skipIf(!hasNamespaces)('agent.md, Probes · a centre with IPv4 and IPv6, in network namespaces', () => {
  /** A centre, a point with IPv4 alone and one with IPv6 alone, each on a cable of its own. */
  function build() {
    const [center, four, six] = ['center', 'four', 'six'].map((name) => spaces.add(name)) as [string, string, string]
    spaces.connect([center, 'to4', `${V4}/24`], [four, 'eth0', '10.77.1.2/24'])
    ip('-n', center, 'link', 'add', 'to6', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', six)
    for (const [space, name, address] of [
      [center, 'to6', `${V6}/64`],
      [six, 'eth0', 'fd77::2/64'],
    ] as const) {
      ip('-n', space, 'addr', 'add', address, 'dev', name, 'nodad')
      ip('-n', space, 'link', 'set', name, 'up')
    }
    return { center, four, six }
  }

  it.each([
    ['IPv6 first', [V6, V4]],
    ['IPv4 first', [V4, V6]],
  ])('is reached by both, each by its own family (%s)', async (_, hosts) => {
    const { center, four, six } = build()
    const keys = { P4: KEY, P6: 'cd'.repeat(32) }
    const server = probeIn(center, [toLink('server', 'P4', keys.P4, []), toLink('server', 'P6', keys.P6, [])])
    const ofFour = probeIn(four, [toLink('client', 'P4', keys.P4, hosts)])
    const ofSix = probeIn(six, [toLink('client', 'P6', keys.P6, hosts)])
    await expect.poll(ofFour).toMatchObject([{ up: true, remote: `${V4}:${PORT}` }])
    await expect.poll(ofSix).toMatchObject([{ up: true, remote: `[${V6}]:${PORT}` }])
    await expect.poll(() => server().map(({ up }) => up)).toEqual([true, true])
  })

  it('with the address of the other family alone is not reached, as before there was a list', async () => {
    const { center, four } = build()
    probeIn(center, [toLink('server', 'P4', KEY, [])])
    const ofFour = probeIn(four, [toLink('client', 'P4', KEY, [V6])])
    await expect.poll(ofFour).toMatchObject([{ up: false }])
  })
})
