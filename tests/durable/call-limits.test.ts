import { env } from 'cloudflare:test'
import { describe, expect, inject, it } from 'vitest'
import { CALL_LIMIT, CALL_LIMITS } from '#contract/kernel/limits.ts'
import { type AgentFrame, CLOSE, type HubFrame, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { createHubs } from '#durable/hubs.ts'
import { countingLimits } from '#tests/support/call-limits.ts'
import { type Caller, createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'
import { claim, connect as connectUnlimited, createFactoryDevice, createToken, enrol } from './factory-device.ts'
import { TestSocket, createHello, isFrame } from './support.ts'

/* Limits in front of the database: connects of devices, and the number of database calls that a flood causes. */

type Worker = ReturnType<typeof createTestWorker>

const connect = ({ request }: Worker, token: string, ip: string, headers: Readonly<Record<string, string>> = {}) =>
  request('/device/v1/connect', { headers: { authorization: `Bearer ${token}`, 'cf-connecting-ip': ip, ...headers } })

const upgraded = (worker: Worker, token: string, ip: string) => connect(worker, token, ip, { upgrade: 'websocket' })

/** Reason of a close that comes at once. */
const closeOf = ({ webSocket }: Response) =>
  new Promise<readonly [number, string]>((done) => {
    webSocket!.addEventListener('close', ({ code, reason }) => done([code, reason]))
    webSocket!.accept()
  })

describe('hubs.md, Connect · behind a busy address', () => {
  it('are closed with the wait, and explained without an upgrade, both without the database', async () => {
    const { env, endPeriod } = countingLimits()
    const worker = createTestWorker({ env })
    const device = await createFactoryDevice()
    await enrol(device)
    await claim(device, await createMainAccount())
    const wrong = await createToken(await createFactoryDevice())
    for (let n = 0; n < CALL_LIMITS.connect; n++)
      expect((await connect(worker, wrong, `203.0.113.${n}`)).status).toBe(403)
    expect(worker.countTrips()).toBe(CALL_LIMITS.connect)

    const wait = CALL_LIMIT.retryAfterS
    const token = await createToken(device)
    expect(await closeOf(await upgraded(worker, token, '203.0.113.99'))).toEqual([CLOSE.restart, `retry_after=${wait}`])
    const explained = await connect(worker, token, '203.0.113.99')
    expect([explained.status, explained.headers.get('retry-after')]).toEqual([429, String(wait)])
    expect(await explained.json()).toMatchObject(refusal('ADDRESS_BUSY', { retry_after: wait }))
    expect(worker.countTrips()).toBe(CALL_LIMITS.connect)

    expect((await connect(worker, token, '203.0.114.1')).status).toBe(200)
    endPeriod()
    expect((await connect(worker, token, '203.0.113.99')).status).toBe(200)
  })

  it('count those of tunnels, too', async () => {
    const worker = createTestWorker({ env: countingLimits().env })
    const wrong = await createToken(await createFactoryDevice())
    for (let n = 0; n < CALL_LIMITS.connect; n++) await connect(worker, wrong, '203.0.113.1')
    const headers = { authorization: `Bearer ${wrong}`, 'cf-connecting-ip': '203.0.113.1' }
    expect((await worker.request('/device/v1/tunnel', { headers })).status).toBe(429)
  })

  it('without a readable token count for nothing', async () => {
    const worker = createTestWorker({ env: countingLimits().env })
    for (let n = 0; n <= CALL_LIMITS.connect; n++)
      expect((await connect(worker, 'nonsense', '203.0.113.1')).status).toBe(403)
    expect(worker.countTrips()).toBe(0)
  })
})

describe('decisions.md, Connects of a busy address block · devices behind an address that floods', () => {
  const ADDRESS = '203.0.113.7'
  const HONEST = inject('isFull') ? 200 : 20

  async function welcomed(serial: string, socket: WebSocket | null) {
    const line = new TestSocket<HubFrame, AgentFrame>(socket!)
    line.send(createHello({ name: serial }))
    return line.next(isFrame('welcome'))
  }

  /** A device that was connected, with the return ticket of its welcome. */
  async function createReturning(main: Caller) {
    const device = await createFactoryDevice()
    await enrol(device)
    await claim(device, main)
    const { socket } = await connectUnlimited(await createToken(device))
    const { ticket = '' } = await welcomed(device.serial, socket)
    return { device, ticket }
  }

  /** A Worker that this address block has asked far beyond its limit. */
  async function createFlooded() {
    const { env: limits, endPeriod } = countingLimits()
    const worker = createTestWorker({ env: limits, hubs: (requestId) => createHubs(env, requestId) })
    const wrong = await createToken(await createFactoryDevice())
    for (let n = 0; n < 10 * CALL_LIMITS.connect; n++) await upgraded(worker, wrong, `203.0.113.${n}`)
    expect(worker.countTrips()).toBe(CALL_LIMITS.connect)
    return { worker, endPeriod }
  }

  const comeBack = async (worker: Worker, { device, ticket }: Awaited<ReturnType<typeof createReturning>>) =>
    connect(worker, await createToken(device), ADDRESS, { upgrade: 'websocket', [RETURN_TICKET_HEADER]: ticket })

  it('are back at once by their return tickets, all of them, without the database', async () => {
    const main = await createMainAccount()
    const honest = await Promise.all(Array.from({ length: HONEST }, () => createReturning(main)))
    const { worker } = await createFlooded()
    const before = worker.countTrips()
    const epochs = await Promise.all(
      honest.map(async (returning) => {
        const { webSocket } = await comeBack(worker, returning)
        return (await welcomed(returning.device.serial, webSocket)).epoch
      }),
    )
    expect(epochs).toEqual(honest.map(() => 2))
    expect(worker.countTrips()).toBe(before)
  })

  it('wait like strangers with a ticket that does not count, and are connected once the flood is over', async () => {
    const { device } = await createReturning(await createMainAccount())
    const { worker, endPeriod } = await createFlooded()
    const wait = [CLOSE.restart, `retry_after=${CALL_LIMIT.retryAfterS}`]
    expect(await closeOf(await comeBack(worker, { device, ticket: 'made.up.ticket' }))).toEqual(wait)
    endPeriod()
    const { webSocket } = await comeBack(worker, { device, ticket: 'made.up.ticket' })
    expect(await welcomed(device.serial, webSocket)).toMatchObject({ epoch: 2 })
  })
})

/** The whole flood in a full run, a tenth of it otherwise. */
const BLOCKS = inject('isFull') ? 50 : 5
const CALLS = BLOCKS * 200

describe('decisions.md, Limits in front of the database · a flood of a minute', () => {
  const addresses = Array.from({ length: CALLS }, (_, n) => `10.${n % BLOCKS}.7.${Math.floor(n / BLOCKS)}`)

  it('of captchas from 50 address blocks causes at most 1,600 database calls', async () => {
    const { call, countTrips } = createTestWorker({ env: countingLimits().env })
    for (const ip of addresses) await call(verifyApi.code, {}, { ip })
    expect(countTrips()).toBeLessThanOrEqual(32 * BLOCKS)
  })

  it('of device connects with made-up tokens causes at most 500', async () => {
    const worker = createTestWorker({ env: countingLimits().env })
    const stranger = await createFactoryDevice()
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => createToken(stranger, { iss: `NL-MADE-UP-${n}` })),
    )
    for (const [n, ip] of addresses.entries()) await connect(worker, tokens[n % tokens.length]!, ip)
    expect(worker.countTrips()).toBeLessThanOrEqual(10 * BLOCKS)
  })
})
