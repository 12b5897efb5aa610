import { afterEach, describe, expect, it } from 'vitest'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { systemClock, type Clock } from '#infra/agent/clock.ts'
import { Prober } from '#infra/agent/probe/prober.ts'
import { FRAME_MAX_BYTES, PROBE } from '#contract/kernel/hub-limits.ts'
import { linkId } from '#domain/network/members/links.ts'
import { createAgent, atEnd, closeAll, connected, createHub } from './support/agents.ts'
import { KEY, type TestLink, network, routerDocument } from './support/documents.ts'
import { configFrame } from './support/fake-hub.ts'
import { FakeClock } from './support/fake-clock.ts'

afterEach(closeAll)

/** Timers fire as ever, and no time passes between them. */
const STANDING: Clock = { ...systemClock, monotonic: () => 0 }

describe('the connection', () => {
  it('survives frames that are broken, unknown or hostile', async () => {
    const hub = await createHub()
    const { agent, lines } = await createAgent(hub)
    const device = await connected(hub)
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '{"t":"config"}',
      '{"t":"stream","on":"yes"}',
      '{"__proto__":{"t":"config"}}',
    ]
    for (const text of [...broken, '{"t":"party","at":8}', '{"t":1}', 'x'.repeat(100_000)]) device.socket.send(text)
    device.socket.send(Buffer.from([1, 2, 3]))
    device.send({ t: 'command', id: 'after', kind: 'report', params: {}, expires_at: Date.now() + 60_000 })
    await expect.poll(() => device.ofType('job_result')).toHaveLength(1)
    expect([agent.isUp, hub.devices.length]).toEqual([true, 1])
    expect(lines.filter((l) => l.includes('could not be read'))).toHaveLength(broken.length + 1)
  })

  it('that is half open is closed after a lease and reconnects', async () => {
    const hub = await createHub({ heartbeatSeconds: 1 })
    const { lines } = await createAgent(hub)
    const device = await connected(hub)
    await expect.poll(() => device.pings).toBeGreaterThan(0)
    device.isSilent = true
    await connected(hub, 2)
    expect(lines.join('\n')).toContain('disconnected (4005, the hub has gone silent)')
  })

  it('reconnects after a restart of the server, and keeps its document meanwhile', async () => {
    const hub = await createHub()
    const { agent } = await createAgent(hub)
    const device = await connected(hub)
    device.send(configFrame(1, routerDocument(network('N1'))))
    await expect.poll(() => device.ofType('config_result').at(-1)?.state).toBe('confirmed')
    device.socket.terminate()
    await expect.poll(() => agent.isUp).toBe(false)
    expect(agent.applied?.networks).toHaveLength(1)
    await connected(hub, 2)
  })

  it('comes back over the spread of its welcome where nothing listens any more', async () => {
    const hub = await createHub({ spreadSeconds: 50 })
    const { agent, lines } = await createAgent(hub, { clock: STANDING, random: () => 0.9 })
    await connected(hub)
    await expect.poll(() => agent.isUp).toBe(true)
    await hub.stop()
    await expect.poll(() => lines.at(-1)).toMatch(/ECONNREFUSED.*; next try in 45\.0 s/)
  })

  it('takes a proxy that answers in place of the service for a restart', async () => {
    const hub = await createHub()
    const { agent, lines } = await createAgent(hub, { clock: STANDING, random: () => 0.9 })
    const device = await connected(hub)
    await expect.poll(() => agent.isUp).toBe(true)
    hub.fault = 502
    device.socket.terminate()
    await expect.poll(() => lines.at(-1)).toMatch(/answered 502.*; next try in 40\.5 s/)
  })

  it.each([
    [CLOSE.removed, /next try in (2[4-9]\d|3[0-5]\d)\./],
    [CLOSE.tooOften, /next try in (4[89]|5\d|6\d|7[0-2])\./],
  ])('waits long after %i', async (code, expected) => {
    const hub = await createHub()
    const { lines } = await createAgent(hub)
    const device = await connected(hub)
    device.socket.close(code)
    await expect.poll(() => lines.at(-1)).toMatch(expected)
  })

  it('respects the retry_after of a rate-limited reconnect', async () => {
    const hub = await createHub()
    const { lines } = await createAgent(hub)
    const device = await connected(hub)
    device.socket.close(CLOSE.tooOften, 'retry_after=4000')
    await expect.poll(() => lines.at(-1)).toMatch(/next try in 40[4-7]\d\./)
  })

  it('waits as long as a busy service asks it to, without asking for the reason', async () => {
    const hub = await createHub()
    hub.closing = [CLOSE.restart, 'retry_after=45']
    const { lines } = await createAgent(hub)
    await expect
      .poll(() => lines.at(-1))
      .toMatch(
        /not connected: the service takes no more connections now \(retry_after=45\); next try in (3[6-9]|4\d|5[0-4])\./,
      )
    expect(hub.requests).not.toContain('/device/v1/connect')
  })

  it('waits as long where an enrolment is refused', async () => {
    const hub = await createHub()
    hub.enrolmentRefusal = { code: 429, msg: '当前网络的请求过多', reason: 'ADDRESS_BUSY', data: { retry_after: 45 } }
    const { lines } = await createAgent(hub)
    await expect
      .poll(() => lines.at(-1))
      .toMatch(/not connected: 当前网络的请求过多; next try in (3[6-9]|4\d|5[0-4])\./)
  })

  it('closes with 1000', async () => {
    const hub = await createHub()
    const { agent } = await createAgent(hub)
    const device = await connected(hub)
    const closed = new Promise((resolve) => device.socket.on('close', resolve))
    await agent.stop()
    expect(await closed).toBe(1000)
  })
})

it('two agents of a network report their link up from both ends', async () => {
  const hub = await createHub()
  const clock = new FakeClock() // it stands while datagrams are on their way
  const probers = await Promise.all([0, 1].map(() => Prober.open(0, { clock })))
  atEnd(() => probers.forEach((prober) => prober.close()))
  const [point, centre] = probers as [Prober, Prober]
  await createAgent(hub, { serial: 'NL-C', prober: centre })
  const atCentre = await connected(hub)
  await createAgent(hub, { prober: point })
  const atPoint = await connected(hub, 2)
  expect(atPoint.frames[0]).toMatchObject({ probe_port: point.port })

  const end = (role: TestLink['role'], peer: string): TestLink => ({
    id: 'N1:NL-P>NL-C',
    peer,
    role,
    endpoint: { host: '127.0.0.1', port: centre.port },
    key: KEY,
  })
  atCentre.send(configFrame(1, { ...routerDocument(network('N1', [end('server', 'NL-P')])), router_name: 'NL-C' }))
  atPoint.send(configFrame(1, routerDocument(network('N1', [end('client', 'NL-C')]))))
  const up = [{ id: 'N1:NL-P>NL-C', up: true }]
  await expect.poll(() => atPoint.ofType('links').at(-1)?.links).toMatchObject(up)
  await expect.poll(() => atCentre.ofType('links').at(-1)?.links).toMatchObject(up)

  atCentre.send(configFrame(2, { ...routerDocument(), router_name: 'NL-C' }))
  await expect.poll(() => centre.reports('NL-C')).toEqual([])
  await clock.advance(PROBE.lostAfter * PROBE.intervalMs)
  await expect.poll(() => atPoint.ofType('links').at(-1)?.links).toMatchObject([{ up: false, rtt_ms: null }])

  atPoint.socket.terminate()
  await expect.poll(() => hub.devices.length).toBe(3)
  await expect.poll(() => hub.last.ofType('links')[0]?.links).toMatchObject([{ id: 'N1:NL-P>NL-C', up: false }])
})

it('a centre of many points applies its document and reports all links, in frames below the size limit', async () => {
  const hub = await createHub()
  const clock = new FakeClock()
  const prober = await Prober.open(0, { clock })
  atEnd(() => prober.close())
  const { lines } = await createAgent(hub, { prober })
  const device = await connected(hub)
  const links = Array.from({ length: 700 }, (_, n): TestLink => {
    const peer = `${'P'.repeat(60)}${String(n).padStart(4, '0')}`
    return {
      id: linkId('1234567890', peer, 'C'.repeat(64)),
      peer,
      role: 'server',
      endpoint: null,
      key: n.toString(16).padStart(64, '0'),
    }
  })
  const frame = configFrame(1, routerDocument(network('1234567890', links)))
  expect(JSON.stringify(frame).length).toBeGreaterThan(2 * FRAME_MAX_BYTES)
  device.send(frame)
  await expect.poll(() => lines).toContain('config 1 confirmed')
  await clock.advance(PROBE.lostAfter * PROBE.intervalMs) // all are down
  const reported = () => new Set(device.ofType('links').flatMap((report) => report.links.map(({ id }) => id)))
  await expect.poll(() => reported().size).toBe(700)
  expect(device.ofType('links').every((report) => JSON.stringify(report).length <= FRAME_MAX_BYTES)).toBe(true)
  expect(hub.devices).toHaveLength(1)
})
