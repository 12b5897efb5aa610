import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, describe, expect, it, beforeEach, vi } from 'vitest'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import { KIND, PACKET_BYTES, isGenuine, readPacket, seal, createTag } from '#infra/agent/probe/packet.ts'
import { Prober, ask, INITIAL_END, onAnswer, onAsk, verdict } from '#infra/agent/probe/prober.ts'
import { KEY, type TestLink } from './support/documents.ts'
import { PROBE } from '#contract/kernel/hub-limits.ts'
import { FakeClock } from './support/fake-clock.ts'

const key = Buffer.from(KEY, 'hex')
const other = Buffer.alloc(32, 7)
const nonce = Buffer.alloc(12, 1)
const echo = Buffer.alloc(12, 2)

describe('a packet', () => {
  it('decodes what was encoded, and verifies its MAC', () => {
    const datagram = seal({ kind: KIND.ask, tag: createTag(key), nonce, echo }, key)
    expect(datagram).toHaveLength(PACKET_BYTES)
    expect(readPacket(datagram)).toEqual({ kind: KIND.ask, tag: createTag(key), nonce, echo })
    expect([isGenuine(datagram, key), isGenuine(datagram, other)]).toEqual([true, false])
  })

  it('with any one bit changed fails decoding or its MAC', () => {
    const datagram = seal({ kind: KIND.accepted, tag: createTag(key), nonce, echo }, key)
    for (let bit = 0; bit < PACKET_BYTES * 8; bit++) {
      const forged = Buffer.from(datagram)
      forged[bit >> 3]! ^= 1 << (bit & 7)
      expect(readPacket(forged) === null || !isGenuine(forged, key)).toBe(true)
    }
  })

  it('of any other bytes is not decoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(readPacket(Buffer.from(bytes))).toBeNull()
      }),
    )
  })
})

describe('one end', () => {
  it('of a server is up only after an echo of its nonce', () => {
    const first = onAsk(INITIAL_END, { nonce, echo }, 1)
    expect([first.kind, first.state.aliveAt]).toEqual([KIND.stale, null])
    const proved = onAsk(first.state, { nonce, echo: first.packet.nonce }, 2)
    expect([proved.kind, proved.state.aliveAt]).toEqual([KIND.accepted, 2])
    const replayed = onAsk(proved.state, { nonce, echo: first.packet.nonce }, 3)
    expect([replayed.kind, replayed.state.aliveAt]).toEqual([KIND.stale, 2])
    expect(replayed.state.due).toEqual(proved.state.due)
  })

  it('of a client accepts the answer to its last request, once', () => {
    const asked = ask(INITIAL_END, 100)
    const answer = { kind: KIND.accepted, nonce: echo, echo: asked.packet.nonce }
    const alive = onAnswer(asked.state, answer, 130)
    expect(alive.state).toMatchObject({ aliveAt: 130, rttMs: 30, peer: echo })
    expect(onAnswer(alive.state, answer, 500).state.aliveAt).toBe(130)
  })

  it('of a client repeats at once after a stale answer, a limited number of times', () => {
    let state = ask(INITIAL_END, 0).state
    let follows = 0
    for (let i = 0; i < 10; i++) {
      const next = onAnswer(state, { kind: KIND.stale, nonce: echo, echo: state.due ?? nonce }, i)
      state = next.state
      if (next.again) follows += 1
    }
    expect(follows).toBe(2)
  })

  it('is up within the receive timeout of a proof, down after it, and undecided until the first timeout', () => {
    const alive = { ...INITIAL_END, aliveAt: 1_000 }
    expect([verdict(INITIAL_END, 0, 14_999, 15_000), verdict(INITIAL_END, 0, 15_000, 15_000)]).toEqual([null, false])
    expect([verdict(alive, 0, 15_999, 15_000), verdict(alive, 0, 16_000, 15_000)]).toEqual([true, false])
  })
})

describe('over UDP', () => {
  const closers: (() => void)[] = []
  afterEach(() => closers.splice(0).forEach((close) => close()))

  /** It stands while datagrams are on their way, however long they take. */
  let clock: FakeClock
  beforeEach(() => void (clock = new FakeClock()))
  async function prober(): Promise<Prober> {
    const made = await Prober.open(0, { clock, random: () => 0 })
    closers.push(() => made.close())
    return made
  }
  /** A link without a proof meanwhile is down. */
  const passTimeout = () => clock.advance(PROBE.lostAfter * PROBE.intervalMs)
  const link = (role: TestLink['role'], port: number, over: Partial<TestLink> = {}): TestLink => ({
    id: 'N1:P>C',
    peer: role === 'client' ? 'C' : 'P',
    role,
    endpoint: { host: '127.0.0.1', port },
    key: KEY,
    ...over,
  })
  function watch(at: Prober, owner: string, links: TestLink[]): LinkReport[] {
    const seen: LinkReport[] = []
    at.watch(owner, links, (changed) => seen.push(...changed))
    return seen
  }

  it('both ends see the link up, with a round trip at the client, and down once the other end stopped', async () => {
    const [client, server] = [await prober(), await prober()]
    watch(server, 'C', [link('server', server.port)])
    const seen = watch(client, 'P', [link('client', server.port)])
    await expect.poll(() => [client.reports('P')[0]?.up, server.reports('C')[0]?.up]).toEqual([true, true])
    expect(seen).toMatchObject([{ id: 'N1:P>C', up: true, rtt_ms: expect.any(Number) }])
    expect(server.reports('C')[0]!.rtt_ms).toBeNull()
    server.watch('C', [], () => {})
    await passTimeout()
    expect(client.reports('P')).toEqual([{ id: 'N1:P>C', up: false, rtt_ms: null }])
    expect(seen.map((r) => r.up)).toEqual([true, false])
  })

  it('a link that is restarted is down at once, and up again with its next proof; others stay', async () => {
    const [client, server] = [await prober(), await prober()]
    const second = { id: 'N2:P>C', key: 'cd'.repeat(32) }
    const seen = watch(server, 'C', [link('server', server.port), link('server', server.port, second)])
    watch(client, 'P', [link('client', server.port), link('client', server.port, second)])
    await expect.poll(() => server.reports('C').map((r) => r.up)).toEqual([true, true])
    const before = seen.length
    server.restart('C', ['N1:P>C'])
    expect(seen.slice(before)).toEqual([{ id: 'N1:P>C', up: false, rtt_ms: null }])
    await clock.advance(PROBE.intervalMs)
    await expect.poll(() => seen.slice(before)).toMatchObject([{ up: false }, { id: 'N1:P>C', up: true }])
  })

  it('a link is answered by the socket that is named for it, and by none while there is none', async () => {
    const [client, server] = [await prober(), await prober()]
    const own = createSocket('udp4')
    closers.push(() => own.close())
    own.bind(0)
    await once(own, 'listening')
    const named: { socket: Socket | null } = { socket: null }
    server.receiveAt(own)
    server.sendBy(() => named.socket)
    watch(server, 'C', [link('server', server.port)])
    watch(client, 'P', [link('client', own.address().port)])
    await passTimeout()
    expect(client.reports('P')).toMatchObject([{ up: false }])
    named.socket = own
    await clock.advance(PROBE.intervalMs)
    await expect.poll(() => client.reports('P')[0]?.up).toBe(true)
  })

  it('the client sums up what it asked, lost and waited, and its longest wait since the last read', async () => {
    const [client, server] = [await prober(), await prober()]
    watch(server, 'C', [link('server', server.port)])
    watch(client, 'P', [link('client', server.port)])
    expect([...client.takeSums('P')]).toEqual([])
    await expect.poll(() => client.reports('P')[0]?.up).toBe(true)
    await clock.advance(PROBE.intervalMs)
    const first = client.takeSums('P').get('N1:P>C')
    expect(first).toMatchObject({ asked: 1, lost: 0 })
    server.watch('C', [], () => {})
    await clock.advance(4 * PROBE.intervalMs)
    const second = client.takeSums('P').get('N1:P>C')!
    expect(second.asked).toBeGreaterThanOrEqual(4)
    expect(second.lost).toBeGreaterThanOrEqual(second.asked - 2)
    expect(client.takeSums('P').get('N1:P>C')).toEqual({ ...second, rtt_max_ms: 0 })
    expect([...server.takeSums('C')]).toEqual([])
  })

  it('one socket serves many routers, and both ends of one link', async () => {
    const both = await prober()
    const createKey = (n: number) => n.toString(16).padStart(2, '0').repeat(32)
    const names = [1, 2, 3, 4]
    watch(
      both,
      'C',
      names.map((n) => link('server', both.port, { id: `N1:P${n}>C`, key: createKey(n) })),
    )
    for (const n of names) watch(both, `P${n}`, [link('client', both.port, { id: `N1:P${n}>C`, key: createKey(n) })])
    await expect.poll(() => both.reports('C').filter((r) => r.up)).toHaveLength(4)
    for (const n of names) expect(both.reports(`P${n}`)).toMatchObject([{ id: `N1:P${n}>C`, up: true }])
  })

  it('a pair in two networks has an independent link in each', async () => {
    const [client, server] = [await prober(), await prober()]
    const second = { id: 'N2:P>C', key: 'cd'.repeat(32) }
    watch(server, 'C', [link('server', server.port, second)])
    watch(client, 'P', [link('client', server.port)])
    await passTimeout()
    expect(client.reports('P')).toMatchObject([{ id: 'N1:P>C', up: false }])
    watch(client, 'P', [link('client', server.port), link('client', server.port, second)])
    await expect
      .poll(() => client.reports('P'))
      .toMatchObject([
        { id: 'N1:P>C', up: false },
        { id: 'N2:P>C', up: true },
      ])
  })

  it('wrong keys, noise and replays do not bring a link up', async () => {
    const server = await prober()
    watch(server, 'C', [link('server', server.port)])
    const stranger = await prober()
    watch(stranger, 'P', [link('client', server.port, { key: 'ee'.repeat(32) })])

    const attacker = createSocket('udp4')
    closers.push(() => attacker.close())
    const answers: Buffer[] = []
    attacker.on('message', (datagram) => answers.push(datagram))
    const recorded = seal({ kind: KIND.ask, tag: createTag(key), nonce, echo }, key)
    const forged = seal({ kind: KIND.ask, tag: createTag(key), nonce, echo }, other)
    for (let i = 0; i < 8; i++) {
      for (const datagram of [recorded, forged, Buffer.from('hello'), Buffer.alloc(2_000)]) {
        await new Promise((resolve) => attacker.send(datagram, server.port, '127.0.0.1', resolve))
      }
    }
    await expect.poll(() => answers.length).toBe(8) // a stale replay is answered as such, in a packet no larger than itself
    expect(answers.every((a) => a.length === PACKET_BYTES && readPacket(a)?.kind === KIND.stale)).toBe(true)
    await passTimeout()
    expect(server.reports('C')).toMatchObject([{ up: false }])
    expect(stranger.reports('P')).toMatchObject([{ up: false }])
  })

  it('an endpoint that becomes known later', async () => {
    const [client, server] = [await prober(), await prober()]
    watch(server, 'C', [link('server', server.port)])
    watch(client, 'P', [link('client', server.port, { endpoint: null })])
    await passTimeout()
    expect(client.reports('P')).toMatchObject([{ up: false }])
    watch(client, 'P', [link('client', server.port)])
    await expect.poll(() => client.reports('P')).toMatchObject([{ up: true }])
  })

  it('keeps the state of remaining links', async () => {
    const [client, server] = [await prober(), await prober()]
    watch(server, 'C', [link('server', server.port)])
    watch(client, 'P', [link('client', server.port)])
    await expect.poll(() => client.reports('P')).toMatchObject([{ up: true }])
    const again = watch(client, 'P', [
      link('client', server.port),
      link('client', 9, { id: 'N1:P>D', key: 'aa'.repeat(32) }),
    ])
    expect(client.reports('P')).toMatchObject([{ id: 'N1:P>C', up: true }])
    const provedAt = () => client['byOwner'].get('P')![0]!.state.aliveAt
    for (let interval = 0; interval < PROBE.lostAfter; interval++) {
      const before = provedAt()!
      await clock.advance(PROBE.intervalMs)
      await expect.poll(provedAt).toBeGreaterThan(before)
    }
    expect(again).toEqual([{ id: 'N1:P>D', up: false, rtt_ms: null }])
  })

  it('of a tunnel counts the loss over its last requests', async () => {
    const [client, server] = [await prober(), await prober()]
    const end = (role: TestLink['role'], port: number) => link(role, port, { carrier: 'tunnel' })
    watch(server, 'C', [end('server', client.port)])
    watch(client, 'P', [end('client', server.port)])
    await vi.waitFor(() => expect(client.reports('P')[0]?.up).toBe(true))
    for (let n = 0; n < PROBE.lossFrom - 2; n++) await clock.advance(PROBE.intervalMs)
    expect(client.reports('P')[0]!.tunnel).toBeUndefined()
    server.close()
    closers.splice(closers.length - 1)
    for (let n = 0; n < 2 * PROBE.lossFrom; n++) await clock.advance(PROBE.intervalMs)
    const { loss } = client.reports('P')[0]!.tunnel!
    expect(loss).toBeGreaterThanOrEqual(500)
    expect(loss).toBeLessThanOrEqual(1000)
  })

  it('of a tunnel counts no request before it came up as lost', async () => {
    const [client, server] = [await prober(), await prober()]
    const end = (role: TestLink['role'], port: number) => link(role, port, { carrier: 'tunnel' })
    watch(client, 'P', [end('client', server.port)])
    for (let n = 0; n < 2 * PROBE.lossFrom; n++) await clock.advance(PROBE.intervalMs)
    expect(client.reports('P')).toMatchObject([{ up: false, tunnel: { loss: 1000 } }])
    watch(server, 'C', [end('server', client.port)])
    await clock.advance(PROBE.intervalMs)
    const answered = () => client['byOwner'].get('P')![0]!.answers.length
    await vi.waitFor(() => expect(client.reports('P')[0]?.up).toBe(true))
    while (answered() < PROBE.lossFrom) {
      const before = answered()
      await clock.advance(PROBE.intervalMs)
      await expect.poll(answered).toBeGreaterThan(before)
      await expect.poll(() => client['byOwner'].get('P')![0]!.state.due).toBeNull()
    }
    expect(client.reports('P')).toMatchObject([{ up: true, tunnel: { loss: 0 } }])
  })
})
