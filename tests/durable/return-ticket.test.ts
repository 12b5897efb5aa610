import {
  abortAllDurableObjects,
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { count, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { deviceApi } from '#contract/device/index.ts'
import { RETURN_TICKET } from '#contract/device/limits.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { type AgentFrame, CLOSE, type HubFrame, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { connectionLogs, devices, routers } from '#db/schema/routers.ts'
import { saveTicket } from '#durable/router-hub/state/storage.ts'
import { createHubs } from '#durable/hubs.ts'
import { newHubName } from '#security/hub-name.ts'
import { issueReturnTicket, readReturnTicket } from '#security/return-ticket.ts'
import { signAccessToken } from '#security/tokens.ts'
import { type Caller, createMainAccount, unique } from '#tests/support/fixtures.ts'
import { insertRouter } from '#tests/support/rows.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'
import {
  type FactoryDevice,
  claim,
  connect,
  createFactoryDevice,
  createToken,
  enrol,
  worker,
} from './factory-device.ts'
import { TestSocket, createHello, isFrame, later, readNow, routerStub, until } from './support.ts'

interface Returning {
  readonly device: FactoryDevice
  readonly main: Caller
  readonly row: Awaited<ReturnType<typeof claim>>
  /** Ticket of its first welcome. */
  readonly ticket: string
}

const lineOf = (socket: WebSocket | null) => new TestSocket<HubFrame, AgentFrame>(socket!)
const ticketOf = async (text: string, now = Date.now()) => (await readReturnTicket(env.TICKET_KEYS, text, now))!

async function welcomed({ device }: Pick<Returning, 'device'>, socket: WebSocket | null) {
  const line = lineOf(socket)
  line.send(createHello({ name: device.serial }))
  return line.next(isFrame('welcome'))
}

/** Waits until the hub has saved and notified everything. */
const settled = (row: Returning['row']) =>
  runInDurableObject(routerStub(row), (_, { storage }) =>
    until(() => {
      const outbox = storage.kv.get<{ saved: number; notified: number; change: number }>('outbox')
      return outbox && outbox.saved === outbox.change && outbox.notified === outbox.change ? true : undefined
    }),
  )

async function createReturning(main: Caller): Promise<Returning> {
  const device = await createFactoryDevice()
  await enrol(device)
  const row = await claim(device, main)
  const { ticket } = await welcomed({ device }, (await connect(await createToken(device))).socket)
  await settled(row)
  return { device, main, row, ticket: ticket! }
}

/** Connects with a ticket, and counts the round trips of the Worker and of all hubs meanwhile. */
async function attempt(ticket: string, token: string, isUpgrade = true) {
  const run = vi.spyOn(env.DB!, 'batch')
  const answer = await connect(token, isUpgrade, '127.0.0.1', { [RETURN_TICKET_HEADER]: ticket })
  const trips = run.mock.calls.length
  run.mockRestore()
  return { ...answer, trips }
}

let main: Caller
beforeEach(async () => {
  main = await createMainAccount()
})

describe('hubs.md, Connect · return ticket', () => {
  it('comes with the first welcome, and opens the next socket without the database', async () => {
    const returning = await createReturning(main)
    const { socket, trips } = await attempt(returning.ticket, await createToken(returning.device))
    expect(trips).toBe(0)
    expect(await welcomed(returning, socket)).toMatchObject({ epoch: 2 })
  })

  it('after a restart the device is back without a call of the database, a row of its state or a line of the log', async () => {
    stopClock()
    const returning = await createReturning(main)
    const { device, row, ticket } = returning
    const lines = () =>
      db.select({ n: count() }).from(connectionLogs).where(eq(connectionLogs.routerName, device.serial))
    const before = await lines()
    await abortAllDurableObjects()
    const run = vi.spyOn(env.DB!, 'batch')
    const { socket } = await connect(await createToken(device), true, '127.0.0.1', { [RETURN_TICKET_HEADER]: ticket })
    expect(await welcomed(returning, socket)).toMatchObject({ epoch: 2 })
    later(ROUTER_OUTBOX.logsMs + 1)
    await runDurableObjectAlarm(routerStub(row))
    expect(run).not.toHaveBeenCalled()
    run.mockRestore()
    expect(before).toEqual([{ n: 1 }])
    expect(await lines()).toEqual(before)
  })

  it('stays the same in every welcome, and is made anew once it is a day old', async () => {
    const returning = await createReturning(main)
    const again = async () => {
      const { socket, trips } = await attempt(returning.ticket, await createToken(returning.device))
      return { trips, ticket: (await welcomed(returning, socket)).ticket }
    }
    expect(await again()).toEqual({ trips: 0, ticket: returning.ticket })
    await runInDurableObject(routerStub(returning.row), (_, { storage }) => {
      saveTicket(storage, { text: returning.ticket, issuedAt: Date.now() - RETURN_TICKET.renewMs })
    })
    later(2_000) // a ticket of the same second is the same text
    const { ticket } = await again()
    expect(ticket).not.toBe(returning.ticket)
    expect(await ticketOf(ticket!)).toEqual(await ticketOf(returning.ticket))
  })

  it('is in the welcome of a device whose hub was evicted before its hello', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    const row = await claim(device, main)
    const { socket } = await connect(await createToken(device))
    await evictDurableObject(routerStub(row))
    expect((await welcomed({ device }, socket)).ticket).toMatch(/^[\w.-]+$/)
  })

  it('answers a device that asks why its socket did not open, without the database and without a socket', async () => {
    const { device, ticket } = await createReturning(main)
    const token = await createToken(device)
    expect(await attempt(ticket, token, false)).toMatchObject({ code: 200, socket: null, trips: 0 })
    expect((await attempt(ticket, token)).trips).toBe(0)
  })

  it('is another one after a connection by the database, because that may have dropped its key', async () => {
    const returning = await createReturning(main)
    later(2_000)
    const { socket } = await connect(await createToken(returning.device))
    const { ticket } = await welcomed(returning, socket)
    expect(ticket).not.toBe(returning.ticket)
    expect(await ticketOf(ticket!)).toEqual(await ticketOf(returning.ticket))
  })

  it('is good under a key that no longer signs, and after the keys of sessions were changed', async () => {
    const { device, ticket } = await createReturning(main)
    const rotated = createTestWorker({
      hubs: (requestId) => createHubs(env, requestId),
      env: { TICKET_KEYS: `new:${'n'.repeat(32)},${env.TICKET_KEYS}`, JWT_KEYS: `new:${'m'.repeat(32)}` },
    })
    const run = vi.spyOn(env.DB!, 'batch')
    const headers = {
      upgrade: 'websocket',
      authorization: `Bearer ${await createToken(device)}`,
      [RETURN_TICKET_HEADER]: ticket,
    }
    expect((await rotated.request('/device/v1/connect', { headers })).status).toBe(101)
    expect(run).not.toHaveBeenCalled()
    run.mockRestore()
  })

  it('is left to the database where the hub is of the release before, which knows no such upgrade', async () => {
    const { device, ticket } = await createReturning(main)
    const asked: string[] = []
    const older = createTestWorker({
      hubs: (requestId) => {
        const hubs = createHubs(env, requestId)
        const connectOlder: typeof hubs.connect = async (kind, hub, identity) => {
          asked.push(identity.by)
          return identity.by === 'returning' ? new Response(null, { status: 400 }) : hubs.connect(kind, hub, identity)
        }
        return { ...hubs, connect: connectOlder }
      },
    })
    const headers = {
      upgrade: 'websocket',
      authorization: `Bearer ${await createToken(device)}`,
      [RETURN_TICKET_HEADER]: ticket,
    }
    expect((await older.request('/device/v1/connect', { headers })).status).toBe(101)
    expect(asked).toEqual(['returning', 'device'])
  })

  it('that cannot be signed or read costs the device nothing but a call of the database', async () => {
    const { device, ticket } = await createReturning(main)
    const broken = createTestWorker({
      hubs: (requestId) => createHubs(env, requestId),
      env: { TICKET_KEYS: 'k:short' },
    })
    const headers = {
      upgrade: 'websocket',
      authorization: `Bearer ${await createToken(device)}`,
      [RETURN_TICKET_HEADER]: ticket,
    }
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await broken.request('/device/v1/connect', { headers })).status).toBe(101)
    expect(String(logged.mock.calls[0]?.[0])).toContain('return_ticket')
    logged.mockRestore()
  })
})

/** Attempt with a ticket that must not count. It changes what it needs, and says what the device shows. */
type Misuse = (returning: Returning) => Promise<{ readonly ticket?: string; readonly token?: string } | void>

const reissued = async (ticket: string, over: Partial<Awaited<ReturnType<typeof ticketOf>>>, keys = env.TICKET_KEYS) =>
  issueReturnTicket(keys, { ...(await ticketOf(ticket)), ...over }, Date.now())

const setRouter = (id: number, values: Partial<typeof routers.$inferInsert>) =>
  db.update(routers).set(values).where(eq(routers.id, id))

const setKey = ({ deviceId }: FactoryDevice, publicKey: string | null) =>
  db
    .update(devices)
    .set({ publicKey, resetAt: publicKey === null ? Date.now() : null })
    .where(eq(devices.id, deviceId))

async function selectKey({ deviceId }: FactoryDevice): Promise<string | null> {
  const [row] = await db.select({ publicKey: devices.publicKey }).from(devices).where(eq(devices.id, deviceId))
  return row?.publicKey ?? null
}

const erase = ({ hub }: { readonly hub: HubName }) => routerStub({ hub }).remove()

/** The database refuses the device, too. */
const REFUSED: readonly [string, ErrorKey, Misuse][] = [
  [
    "another device's ticket, with a signature of its own key",
    'DEVICE_REJECTED',
    async ({ main, device }) => {
      const victim = await createReturning(main)
      return { ticket: victim.ticket, token: await createToken({ ...device, serial: victim.device.serial }) }
    },
  ],
  [
    'a signature of another key',
    'DEVICE_REJECTED',
    async ({ device }) => ({ token: await createToken({ ...(await createFactoryDevice()), serial: device.serial }) }),
  ],
  [
    'its own key, under the serial of another device',
    'DEVICE_REJECTED',
    async ({ main, device }) => {
      const victim = await createReturning(main)
      return { token: await createToken({ ...device, serial: victim.device.serial }) }
    },
  ],
  [
    'a ticket for another key, with its signature',
    'DEVICE_REJECTED',
    async ({ device, ticket }) => {
      const other = await createFactoryDevice()
      const token = await createToken({ ...other, serial: device.serial })
      return { ticket: await reissued(ticket, { key: (other.publicJwk as { x: string }).x }), token }
    },
  ],
  [
    'an expired token of the device',
    'DEVICE_REJECTED',
    async ({ device }) => {
      const at = Math.floor(Date.now() / 1000)
      return { token: await createToken(device, { iat: at - 70, exp: at - 10 }) }
    },
  ],
  [
    'a key that was reset',
    'DEVICE_REJECTED',
    async ({ device, row }) => {
      await setKey(device, null)
      await readNow(routerStub(row))
    },
  ],
  [
    'a key that a restored database does not have',
    'DEVICE_REJECTED',
    async ({ device, row }) => {
      await db.update(devices).set({ publicKey: null }).where(eq(devices.id, device.deviceId))
      await readNow(routerStub(row))
    },
  ],
  [
    'a disabled router',
    'DEVICE_DISABLED',
    async ({ row }) => {
      await setRouter(row.id, { status: 0 })
      await readNow(routerStub(row))
    },
  ],
  [
    'a router that was disabled, whose hub has the notice and cannot read',
    'DEVICE_DISABLED',
    async ({ row }) => {
      await setRouter(row.id, { status: 0 })
      const away = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: overloaded'))
      await routerStub(row)
        .refresh()
        .catch(() => {})
      away.mockRestore()
    },
  ],
  [
    'a router whose row is missing',
    'DEVICE_UNBOUND',
    async ({ row }) => {
      await db.delete(routers).where(eq(routers.id, row.id))
      await readNow(routerStub(row))
    },
  ],
]

/** The database lets the device in, as without a ticket. */
const ASKED: readonly [string, Misuse][] = [
  [
    "another device's ticket, with its own serial and key",
    async ({ main }) => ({ ticket: (await createReturning(main)).ticket }),
  ],
  [
    'an expired ticket',
    async ({ ticket }) => ({
      ticket: await issueReturnTicket(
        env.TICKET_KEYS,
        await ticketOf(ticket),
        Date.now() - RETURN_TICKET.seconds * 1000 - 1_000,
      ),
    }),
  ],
  ['an unknown key', async ({ ticket }) => ({ ticket: await reissued(ticket, {}, `old:${'t'.repeat(32)}`) })],
  ['a key of sessions', async ({ ticket }) => ({ ticket: await reissued(ticket, {}, env.JWT_KEYS) })],
  [
    'a session of the console, signed by a key of tickets',
    async ({ main }) => ({ ticket: await signAccessToken(env.TICKET_KEYS, main.session, Date.now()) }),
  ],
  [
    'altered claims',
    async ({ ticket }) => ({ ticket: ticket.replace(/\.(.)/, (_, c) => `.${c === 'e' ? 'f' : 'e'}`) }),
  ],
  ['another account', async ({ ticket }) => ({ ticket: await reissued(ticket, { accountId: 1 }) })],
  ['another device', async ({ ticket }) => ({ ticket: await reissued(ticket, { deviceId: 1 }) })],
  [
    'a hub that was emptied',
    async ({ row }) => {
      await erase(row)
    },
  ],
  [
    'a hub that was emptied, and has read its row again',
    async ({ row }) => {
      await erase(row)
      await readNow(routerStub(row))
    },
  ],
  [
    'a hub that never read a row',
    async ({ ticket }) => ({ ticket: await reissued(ticket, { hub: newHubName('default') }) }),
  ],
  [
    'a router with another hub',
    async ({ row }) => {
      await setRouter(row.id, { hub: newHubName('default') })
      await routerStub(row).remove()
    },
  ],
  [
    'a device that another account has claimed',
    async ({ device, main }) => {
      await worker.call(routerApi.delete, { router_name: device.serial }, main.token)
      const other = await createMainAccount()
      const input = { router_type: 1 as const, username: device.serial, code: 'ABCD-EFGH-JKMN', note: '' }
      expect(await worker.call(routerApi.add, input as never, other.token)).toMatchObject({ code: 200 })
    },
  ],
  [
    'a router of another account by its row',
    async ({ row }) => {
      await setRouter(row.id, { accountId: (await createMainAccount()).accountId })
      await readNow(routerStub(row))
    },
  ],
  [
    'a key that was reset and is registered again',
    async ({ device, row }) => {
      const key = await selectKey(device)
      await setKey(device, null)
      await readNow(routerStub(row))
      await setKey(device, key)
      await readNow(routerStub(row))
    },
  ],
  [
    'a router that was disabled and is enabled again',
    async ({ row }) => {
      for (const status of [0, 1] as const) {
        await setRouter(row.id, { status })
        await readNow(routerStub(row))
      }
    },
  ],
  [
    'facts of a release before, which has read the row meanwhile',
    async ({ row }) => {
      await runInDurableObject(routerStub(row), (_, { storage }) => {
        const { generation: _dropped, ...facts } = storage.kv.get<{ generation?: number }>('router')!
        storage.kv.put('router', facts)
      })
      await abortAllDurableObjects()
    },
  ],
]

describe('hubs.md, Connect · return ticket that does not count', () => {
  it.each(REFUSED)('%s: refused', async (_, expected, misuse) => {
    const returning = await createReturning(main)
    const shown = (await misuse(returning)) ?? {}
    const asked = [shown.ticket ?? returning.ticket, shown.token ?? (await createToken(returning.device))] as const
    expect(await attempt(...asked, false)).toMatchObject(refusal(expected))
    const answer = await attempt(...asked)
    expect(answer.trips).toBeGreaterThan(0)
    expect(answer).toMatchObject({ status: 403, ...refusal(expected) })
  })

  it.each(ASKED)('%s: the database decides', async (_, misuse) => {
    const returning = await createReturning(main)
    const { ticket = returning.ticket } = (await misuse(returning)) ?? {}
    const token = await createToken(returning.device)
    expect((await attempt(ticket, token, false)).trips).toBeGreaterThan(0)
    const answer = await attempt(ticket, token)
    expect(answer.trips).toBeGreaterThan(0)
    expect(answer.status).toBe(101)
  })

  it('a router that was deleted: the device gets the command to empty itself', async () => {
    const { device, main: owner, ticket } = await createReturning(main)
    expect(await worker.call(routerApi.delete, { router_name: device.serial }, owner.token)).toMatchObject({
      code: 200,
    })
    const { socket, trips } = await attempt(ticket, await createToken(device))
    expect((await lineOf(socket).end()).code).toBe(CLOSE.removed)
    expect(trips).toBeGreaterThan(0)
  })

  it('a token of the device is good once, with a ticket and without', async () => {
    const { device, ticket } = await createReturning(main)
    const token = await createToken(device)
    expect((await attempt(ticket, token)).trips).toBe(0)
    expect(await lineOf((await attempt(ticket, token)).socket).end()).toEqual({
      code: CLOSE.protocol,
      reason: 'token used',
    })
    expect((await lineOf((await connect(token)).socket).end()).code).toBe(CLOSE.protocol)
  })

  it('a refused ticket uses up no token: the same request goes on to the database', async () => {
    const returning = await createReturning(main)
    await erase(returning.row)
    const { socket } = await attempt(returning.ticket, await createToken(returning.device))
    const { ticket } = await welcomed(returning, socket)
    const [before, after] = [await ticketOf(returning.ticket), await ticketOf(ticket!)]
    expect(after.generation).toBeGreaterThan(before.generation)
  })

  it('enrols and opens no tunnel', async () => {
    const { device, ticket } = await createReturning(main)
    const wrong = { activation_code: 'WRONG-CODE' }
    expect(await enrol(device, wrong, { [RETURN_TICKET_HEADER]: ticket })).toMatchObject(refusal('DEVICE_UNKNOWN'))
    const headers = { authorization: `Bearer ${await createToken(device)}`, upgrade: 'websocket' }
    const tunnel = await worker.request(`/device/v1/${deviceApi.tunnel.path}`, {
      headers: { ...headers, [RETURN_TICKET_HEADER]: ticket },
    })
    expect(await tunnel.json()).toMatchObject(refusal('DEVICE_REJECTED'))
  })

  it('is no token of a console, of a software member, of an operator, or of a device', async () => {
    const { ticket } = await createReturning(main)
    const bearer = { headers: { authorization: `Bearer ${ticket}` } }
    expect(await worker.call(networkApi.config, {}, bearer)).toMatchObject(refusal('TOKEN_BAD'))
    expect(await worker.call(clientApi.profile, {}, bearer)).toMatchObject(refusal('TOKEN_BAD'))
    expect(await worker.call(opsApi.holdStatus, {}, bearer)).not.toMatchObject({ code: 200 })
    expect(await attempt(ticket, ticket)).toMatchObject({ status: 403, ...refusal('DEVICE_REJECTED') })
  })

  it('is not for a software member, whose name and account it bears', async () => {
    const { device, ticket } = await createReturning(main)
    const name = `li.na@${unique('q')}`
    const { hub } = await insertRouter({ accountId: main.accountId, name, routerType: 2, password: '' })
    await readNow(routerStub({ hub }))
    const stolen = await reissued(ticket, { hub, routerName: name })
    expect(await attempt(stolen, await createToken(device, { iss: name }))).toMatchObject({
      status: 403,
      ...refusal('DEVICE_REJECTED'),
    })
  })
})
