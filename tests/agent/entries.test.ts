import { mkdtemp } from 'node:fs/promises'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { folderStore } from '#infra/agent/store.ts'
import { ecKey, issueCertificate, keyPem } from '#tests/support/directory/certificates.ts'
import { atEnd, closeAll, connected, createHub, startAgent } from './support/agents.ts'
import type { FakeHub } from './support/fake-hub.ts'

afterEach(closeAll)

const openStore = async () => folderStore(await mkdtemp(join(tmpdir(), 'netloom-')))

/** Address of a TCP server that does this with each connection. */
async function listen(take: (socket: Socket) => void): Promise<{ url: string; taken: () => number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    take(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken: () => sockets.size }
}

const blackHole = () => listen(() => {})
const resetting = () => listen((socket) => socket.resetAndDestroy())

const CA = issueCertificate({ name: 'Test root', key: ecKey(), isCa: true })
const LEAF = issueCertificate({
  name: 'localhost',
  key: ecKey(),
  issuer: CA,
  names: ['localhost'],
  purpose: 'server',
})

/** A hub behind TLS that this process trusts, unless `isTrusted` is false. */
async function createTlsHub(isTrusted = true): Promise<FakeHub> {
  const before = getCACertificates('default')
  if (isTrusted) setDefaultCACertificates([...before, CA.pem])
  atEnd(() => setDefaultCACertificates(before))
  return createHub({ tls: { key: keyPem(LEAF.key), cert: LEAF.pem } })
}

/** Starts an agent that draws as a real one, and waits until it is online; in seconds. */
async function online(servers: readonly string[], over: Parameters<typeof startAgent>[1] = {}) {
  const began = performance.now()
  const started = await startAgent(servers[0]!, { random: Math.random, ...over, servers })
  atEnd(() => started.agent.stop())
  await expect.poll(() => started.agent.isUp, { interval: 20 }).toBe(true)
  const seconds = (performance.now() - began) / 1000
  const worked = started.lines.map(connectedBy).findLast(Boolean) ?? new URL(servers[0]!).origin
  await expect.poll(() => started.store.load('entries')).toMatchObject({ worked })
  return { ...started, seconds }
}

/** Address of a connection by one of several. */
const connectedBy = (line: string): string | undefined => /^connected \(epoch \d+, by (.+)\)$/.exec(line)?.[1]

describe('agent.md, Connection · several addresses', () => {
  it('reach the service past one that is silent and one that resets within 30 s, and within 5 s the next time', async () => {
    const [hole, reset, hub, store] = [await blackHole(), await resetting(), await createHub(), await openStore()]
    const servers = [hole.url, reset.url, hub.url]
    const first = await online(servers, { store })
    expect(first.seconds).toBeLessThan(30)
    expect(first.lines.filter((line) => line.startsWith('not connected to'))).toEqual([
      expect.stringMatching(`^not connected to ${hole.url}: .*; next is ${reset.url}$`),
      expect.stringMatching(`^not connected to ${reset.url}: .*; next is ${hub.url}$`),
    ])
    expect(first.lines).toContain(`connected (epoch 1, by ${hub.url})`)
    await first.agent.stop()
    const tried = hole.taken()
    const second = await online(servers, { store })
    expect(second.seconds).toBeLessThan(5)
    expect(hole.taken()).toBe(tried)
  })

  it('reach it by an entry of an earlier welcome, which remains behind --server', async () => {
    const [home, entry, store] = [await createTlsHub(), await createTlsHub(), await openStore()]
    home.entries = [entry.url]
    const blocked = home.url
    const first = await online([blocked], { store })
    await first.agent.stop()
    await home.stop()
    entry.keys.set('NL-P', home.keys.get('NL-P')!)
    const second = await online([blocked], { store })
    expect(second.lines).toContain(`connected (epoch 1, by ${entry.url})`)
    await second.agent.stop()
    const hole = await blackHole()
    const third = await online([hole.url, blocked], { store })
    expect(third.seconds).toBeLessThan(5)
    expect(hole.taken()).toBeGreaterThan(0)
  })

  it('carry enrolment, explanation and tunnels by the same address as the socket', async () => {
    const [reset, hub] = [await resetting(), await createHub()]
    hub.refusal = { code: 403, msg: '设备已被停用', reason: 'DEVICE_DISABLED' }
    const { agent, lines } = await startAgent(reset.url, {
      servers: [reset.url, hub.url],
      random: () => 0,
      directories: { targets: new Set(), lookup: async () => [] },
    })
    atEnd(() => agent.stop())
    await expect.poll(() => lines.at(-1)).toMatch(/^not connected: 设备已被停用; next try in 20\.0 s$/)
    expect(hub.requests).toEqual(['/device/v1/enrol', '/device/v1/connect'])
  })

  it('ask for a tunnel where they are connected', async () => {
    const [reset, hub] = [await resetting(), await createHub()]
    await online([reset.url, hub.url], { directories: { targets: new Set(), lookup: async () => [] } })
    const device = await connected(hub)
    const expires_at = Date.now() + 10_000
    device.send({ t: 'tunnel', id: 't1', host: '10.13.0.5', port: 389, ticket: 'T', expires_at })
    await expect.poll(() => hub.tunnels.map(({ ticket }) => ticket)).toEqual(['T'])
  })

  it('of which the first is refused by a restart wait for the spread only after the last', async () => {
    const [one, two] = [await createHub({ spreadSeconds: 50 }), await createHub()]
    const { agent, lines } = await online([one.url, two.url], { random: () => 0.9 })
    two.keys.set('NL-P', one.keys.get('NL-P')!)
    await one.stop()
    await expect.poll(() => agent.isUp).toBe(false)
    await expect.poll(() => agent.isUp).toBe(true)
    expect(lines.at(-1)).toBe(`connected (epoch 1, by ${two.url})`)
    await two.stop()
    await expect.poll(() => lines.at(-1)).toMatch(/ECONNREFUSED.*; next try in (4\d|3\d)\./)
  })

  it('give no way in to a server whose certificate is not trusted', async () => {
    const [stranger, hub] = [await createTlsHub(false), await createHub()]
    await online([stranger.url, hub.url])
    expect([stranger.requests, stranger.devices]).toEqual([[], []])
  })
})
