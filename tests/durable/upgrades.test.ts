import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { routers } from '#db/schema/routers.ts'
import { attempts, sessions } from '#db/schema/accounts.ts'
import { type Caller, createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { db, refusal } from '#tests/support/test-worker.ts'
import {
  type FactoryDevice,
  KEY,
  claim,
  connect,
  createFactoryDevice,
  createToken,
  enrol,
  now,
  worker,
} from './factory-device.ts'
import { TestSocket, createHubNetwork, createHello } from './support.ts'
import { CONNECT_GUARD, ENROL_GUARD } from '#contract/device/limits.ts'
import { routerApi } from '#contract/router/index.ts'

describe('hubs.md, Connect · device upgrade', () => {
  let main: Caller
  beforeEach(async () => {
    main = await createMainAccount()
  })

  const welcomed = async (device: FactoryDevice) => {
    const { socket } = await connect(await createToken(device))
    const line = new TestSocket<{ t: string }, unknown>(socket!)
    line.send(createHello({ name: device.serial }))
    return line.next((frame) => frame.t === 'welcome')
  }

  it('is accepted from a device that enrolled and was then claimed', async () => {
    const device = await createFactoryDevice()
    expect((await enrol(device)).code).toBe(200)
    expect(await connect(await createToken(device))).toMatchObject({ status: 403, ...refusal('DEVICE_UNBOUND') })
    await claim(device, main)
    expect(await welcomed(device)).toMatchObject({ epoch: 1 })
  })

  it('is accepted from a device that was claimed and then enrolled', async () => {
    const device = await createFactoryDevice()
    await claim(device, main)
    expect(await connect(await createToken(device))).toMatchObject({ status: 403, ...refusal('DEVICE_REJECTED') })
    expect((await enrol(device)).code).toBe(200)
    expect(await welcomed(device)).toMatchObject({ epoch: 1 })
  })

  it('is explained to the same request without an upgrade', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    expect(await connect(await createToken(device), false)).toMatchObject({
      status: 403,
      ...refusal('DEVICE_UNBOUND'),
    })
    await claim(device, main)
    expect(await connect(await createToken(device), false)).toMatchObject({ status: 200, code: 200 })
  })

  it.each([
    ['no token', () => null],
    ['nonsense', () => 'a.b.c'],
    ['another audience', (d: FactoryDevice) => createToken(d, { aud: 'netloom-api' })],
    ['an expired token', (d: FactoryDevice) => createToken(d, { iat: now() - 70, exp: now() - 10 })],
    ['a token good for too long', (d: FactoryDevice) => createToken(d, { exp: now() + 3600 })],
    ['a token from the future', (d: FactoryDevice) => createToken(d, { iat: now() + 60, exp: now() + 90 })],
    ['a token without an id', (d: FactoryDevice) => createToken(d, { jti: '' })],
    ['a serial nobody has', (d: FactoryDevice) => createToken(d, { iss: 'NL-NOBODY' })],
    [
      'the key of another device',
      async (d: FactoryDevice) => createToken({ ...(await createFactoryDevice()), serial: d.serial }),
    ],
  ] as const)('is refused for %s', async (_, make) => {
    const device = await createFactoryDevice()
    await enrol(device)
    await claim(device, main)
    expect(await connect(await make(device))).toMatchObject({ status: 403, ...refusal('DEVICE_REJECTED') })
  })

  it('costs the same check for a serial that nobody has, and for one without a key', async () => {
    const [device, keyless, stranger] = [
      await createFactoryDevice(),
      await createFactoryDevice(),
      await createFactoryDevice(),
    ]
    await enrol(device)
    const cost = async (iss: string) => {
      const verify = vi.spyOn(crypto.subtle, 'verify')
      const token = await createToken(stranger, { iss })
      const response = await worker.request('/device/v1/connect', { headers: { authorization: `Bearer ${token}` } })
      const { reason } = await response.json<{ reason: string }>()
      const count = verify.mock.calls.length
      vi.restoreAllMocks()
      return { reason, count }
    }
    const known = await cost(device.serial)
    expect(known).toEqual({ reason: 'DEVICE_REJECTED', count: 1 })
    expect(await cost('NL-NOBODY')).toEqual(known)
    expect(await cost(keyless.serial)).toEqual(known)
  })

  it('says no reason after many refused tokens of an address; a right one passes, from there too', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    await claim(device, main)
    const ip = '198.51.100.77'
    const wrong = await createToken(device, { iss: 'NL-NOBODY' })
    for (let n = 0; n < CONNECT_GUARD.perAddress; n++)
      expect(await connect(wrong, false, ip)).toMatchObject(refusal('DEVICE_REJECTED'))
    for (const token of [wrong, await createToken({ ...(await createFactoryDevice()), serial: device.serial })])
      expect(await connect(token, false, ip)).toMatchObject({ status: 403, reason: 'TOO_OFTEN' })
    expect(await connect(await createToken(device), false, ip)).toMatchObject({ status: 200, code: 200 })
    expect(await connect(wrong, false, '198.51.100.78')).toMatchObject(refusal('DEVICE_REJECTED'))
  })

  it('is accepted from a device although its recorded token is replayed by others', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    await claim(device, main)
    const recorded = await createToken(device)
    const lines: string[] = []
    vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line))
    for (let n = 0; n <= SOCKET_GUARD.reconnects; n++) expect((await connect(recorded)).status).toBe(101)
    expect(lines).toHaveLength(SOCKET_GUARD.reconnects)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'refused',
      code: CLOSE.protocol,
      reason: 'token used',
      requestId: expect.stringMatching(/./),
      address: expect.any(String),
    })
    vi.restoreAllMocks()
    expect(await welcomed(device)).toMatchObject({ epoch: 2 })
  })

  it('is refused for a disabled device', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    const { id } = await claim(device, main)
    await db.update(routers).set({ status: 0 }).where(eq(routers.id, id))
    expect(await connect(await createToken(device))).toMatchObject({ status: 403, ...refusal('DEVICE_DISABLED') })
  })

  it('needs the one key that enrolment pins, the same again and again', async () => {
    const device = await createFactoryDevice()
    expect((await enrol(device)).code).toBe(200)
    expect((await enrol(device)).code).toBe(200)
    const other = await createFactoryDevice()
    expect(await enrol(device, { public_key: other.publicJwk })).toMatchObject(refusal('DEVICE_KEY_PINNED'))
    expect(await enrol(device, { activation_code: 'WRONG-CODE' })).toMatchObject(refusal('DEVICE_UNKNOWN'))
    expect(await enrol(device, { serial: 'NL-NOBODY' })).toMatchObject(refusal('DEVICE_UNKNOWN'))
  })

  it('lets a right code pass, however many wrong ones were tried at its serial', async () => {
    const device = await createFactoryDevice()
    const from = (n: number) => ({ 'cf-connecting-ip': `198.51.100.${n}` })
    const tries = Array.from({ length: 30 }, (_, n) => enrol(device, { activation_code: 'WRONG-CODE' }, from(n)))
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(refusal('DEVICE_UNKNOWN'))
    expect((await enrol(device)).code).toBe(200)
  })

  it('lets all routers behind one address enrol, any number of times', async () => {
    const from = { 'cf-connecting-ip': unique('192.0.2.') }
    for (let n = 0; n < ENROL_GUARD.perAddress + 5; n++) {
      expect((await enrol(await createFactoryDevice(), {}, from)).code).toBe(200)
    }
    const device = await createFactoryDevice()
    for (let n = 0; n < 15; n++) expect((await enrol(device, {}, from)).code).toBe(200)
  })

  it('pauses an address that tried wrong codes, also at once; a right one passes still', async () => {
    const from = { 'cf-connecting-ip': unique('192.0.2.') }
    const guess = () => enrol({ serial: unique('NL-X'), publicJwk: {} as never }, { public_key: KEY }, from)
    const tries = await Promise.all(Array.from({ length: ENROL_GUARD.perAddress + 20 }, guess))
    expect(tries.filter(({ code }) => code === refusal('DEVICE_UNKNOWN').code)).toHaveLength(ENROL_GUARD.perAddress)
    expect(await guess()).toMatchObject({ code: 429, data: { retry_after: expect.any(Number) as number } })
    const [counter] = await db
      .select()
      .from(attempts)
      .where(eq(attempts.key, `enrol-ip:${from['cf-connecting-ip']}`))
    expect(counter!.count).toBe(ENROL_GUARD.perAddress) // behind the limit nothing is written
    expect((await enrol(await createFactoryDevice(), {}, from)).code).toBe(200)
  })
})

describe('hubs.md, Live sockets · viewer upgrade', () => {
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const response = await worker.request(`/api/v1/${path}`, { headers: { upgrade: 'websocket', ...headers } })
    expect(response.status).toBe(101)
    return new TestSocket<{ code: number; type?: string; msg?: string }, unknown>(response.webSocket!)
  }
  const ticketFor = async (who: Caller, request: Parameters<typeof worker.call>[1]) =>
    worker.call(routerApi.trafficTicket, request as never, who.token)

  it('takes a ticket of its kind of socket, once', async () => {
    const network = await createHubNetwork(1)
    const requests = [
      ['router/traffic', { kind: 'router', router_name: network.center.name }, 'history'],
      ['network/live', { kind: 'network', network_number: network.number }, 'snapshot'],
      ['account/live', { kind: 'account' }, 'account'],
    ] as const
    for (const [path, request, type] of requests) {
      const { data, trips } = await ticketFor(network.main, request)
      expect(trips).toBe(1)
      const line = await open(`${path}?ticket=${data.ticket}`)
      await line.next((frame) => frame.type === type)
      expect((await (await open(`${path}?ticket=${data.ticket}`)).end()).code).toBe(4004)
      const wrong = path === 'account/live' ? 'network/live' : 'account/live'
      const refused = await open(`${wrong}?ticket=${(await ticketFor(network.main, request)).data.ticket}`)
      expect(await refused.next(() => true)).toMatchObject(refusal('TICKET_BAD'))
    }
  })

  it('has no ticket for another tenant’s router or network, as for none', async () => {
    const [ours, theirs] = [await createHubNetwork(1), await createHubNetwork(1)]
    for (const name of [theirs.center.name, 'nobody']) {
      expect(await ticketFor(ours.main, { kind: 'router', router_name: name })).toMatchObject(
        refusal('ROUTER_NOT_FOUND'),
      )
    }
    for (const number of [theirs.number, 'nothing']) {
      expect(await ticketFor(ours.main, { kind: 'network', network_number: number })).toMatchObject(
        refusal('NETWORK_NOT_FOUND'),
      )
    }
  })

  it('is for a limited sub-account limited to its networks and their members', async () => {
    const [mine, other] = [await createHubNetwork(1), await createHubNetwork(1)]
    const limited = await createSubAccount(mine.main, { networks: [mine.number] })
    const none = await createSubAccount(mine.main, { networks: [other.number] })
    expect((await ticketFor(limited, { kind: 'router', router_name: mine.center.name })).code).toBe(200)
    expect((await ticketFor(limited, { kind: 'network', network_number: mine.number })).code).toBe(200)
    expect(await ticketFor(none, { kind: 'router', router_name: mine.center.name })).toMatchObject(
      refusal('ROUTER_NOT_FOUND'),
    )
    expect(await ticketFor(none, { kind: 'network', network_number: mine.number })).toMatchObject(
      refusal('NETWORK_NOT_FOUND'),
    )
  })

  it('takes the access token of a legacy client, while its session lasts', async () => {
    const { main, center } = await createHubNetwork(1)
    const path = `router/traffic?token=${main.token}&router_name=${center.name}`
    await (await open(path)).next((frame) => frame.type === 'history')
    expect(await (await open('router/traffic?token=x.y.z&router_name=a')).next(() => true)).toMatchObject(
      refusal('TOKEN_BAD'),
    )
    await db.update(sessions).set({ endedAt: Date.now() }).where(eq(sessions.id, main.session.id))
    expect(await (await open(path)).next(() => true)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('is refused to pages of other sites', async () => {
    const { main } = await createHubNetwork(1)
    const { data } = await ticketFor(main, { kind: 'account' })
    const refused = await open(`account/live?ticket=${data.ticket}`, {
      origin: 'https://evil.example',
      host: 'localhost',
    })
    expect(await refused.next(() => true)).toMatchObject(refusal('ORIGIN_FOREIGN'))
    const line = await open(`account/live?ticket=${data.ticket}`, { origin: 'http://localhost', host: 'localhost' })
    await line.next((frame) => frame.type === 'account')
  })

  it('ignores identity headers sent by the client', async () => {
    const { main, center } = await createHubNetwork(1)
    const refused = await open(`router/traffic?router_name=${center.name}`, {
      'x-netloom-viewer': encodeURIComponent(JSON.stringify({ accountId: main.accountId })),
    })
    expect(await refused.next(() => true)).toMatchObject(refusal('TICKET_BAD'))
  })

  it('closes when the session behind it ends', async () => {
    const { main, accountHub, center } = await createHubNetwork(1)
    const { data } = await ticketFor(main, { kind: 'router', router_name: center.name })
    const line = await open(`router/traffic?ticket=${data.ticket}`)
    await line.next((frame) => frame.type === 'history')
    await db.update(sessions).set({ endedAt: Date.now() }).where(eq(sessions.id, main.session.id))
    await createHubs(env).account(accountHub).refresh()
    expect((await line.end()).code).toBe(4004)
  })
})
