import { type ErrorKey, Refusal, refuse } from '#contract/kernel/errors.ts'
import { type Context, Hono } from 'hono'
import { deviceApi } from '#contract/device/index.ts'
import { CLOSE, DOCUMENT_HEADER, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import type { HonoEnv } from '#http/context.ts'
import { refusal, toOverload } from '#http/errors.ts'
import { HubAway } from '#http/hub-answers.ts'
import { mount } from '#http/mount.ts'
import { logFault } from '#http/request-log.ts'
import { identifyDevice, enrolDevice } from './connect.ts'
import { identifyReturning } from './returning.ts'

/* Endpoints of devices: enrolment, the socket of the router, and the tunnel to the directory. */

export const deviceRoutes = new Hono<HonoEnv>()

const { enrol, connect, tunnel } = deviceApi
const calls = { enrol }

mount(deviceRoutes, calls, {
  enrol: enrolDevice,
})

mountSocket(connect.path, connectDevice)
mountSocket(tunnel.path, connectTunnel)

type DeviceContext = Context<HonoEnv>
type Returning = NonNullable<Awaited<ReturnType<typeof identifyReturning>>>
type Identified = Extract<Awaited<ReturnType<typeof identifyDevice>>, { isRemoved: false }>

/** Mounts a socket of a device, which sends its token. Without an upgrade the answer gives the reason for a refusal. */
function mountSocket(path: string, open: (c: DeviceContext, bearer: string) => Promise<Response>): void {
  deviceRoutes.get(`/${path}`, async (c) => {
    try {
      const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? refuse('DEVICE_REJECTED')
      if (isUpgrade(c)) return await open(c, bearer)
      await explain(c, bearer)
      return c.json({ code: 200, msg: '', data: null })
    } catch (error) {
      const overload = toOverload(error)
      if (overload !== null) logFault(c, error)
      else if (!(error instanceof Refusal)) throw error
      return refusedSocket(c, overload ?? (error as Refusal).violation)
    }
  })
}

const isUpgrade = (c: DeviceContext): boolean => c.req.header('upgrade')?.toLowerCase() === 'websocket'

const identify = (c: DeviceContext, bearer: string) =>
  identifyDevice(c.get('ctx'), bearer, c.req.header(DOCUMENT_HEADER) === '1')

/** Refuses what would refuse the device's socket. Where its return ticket still counts, the database is not asked. */
async function explain(c: DeviceContext, bearer: string): Promise<void> {
  const { hubs } = c.get('ctx')
  const isReturning = await askTicketHub(c, bearer, ({ hub, returning }) => hubs.router(hub).holdsTicket(returning))
  if (isReturning === true) return
  const { isRemoved } = await identify(c, bearer)
  if (isRemoved) refuse('DEVICE_REMOVED')
}

/** Opens a socket of a device by its rows. */
async function openIdentified(c: DeviceContext, bearer: string, open: (identified: Identified) => Promise<Response>) {
  const identified = await identify(c, bearer)
  return identified.isRemoved ? closedSocket(CLOSE.removed, 'removed') : open(identified)
}

/** A socket that is closed at once. Agents of every release take their configuration off on the code `removed`. */
function closedSocket(code: number, reason: string): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.close(code, reason)
  return new Response(null, { status: 101, webSocket: client })
}

/** A return ticket opens the socket without the database, which decides where the ticket does not count. */
async function connectDevice(c: DeviceContext, bearer: string): Promise<Response> {
  const { hubs } = c.get('ctx')
  const open = ({ hub, device }: Identified) => hubs.connect('router', hub, { by: 'device', device })
  return (await reconnectDevice(c, bearer)) ?? openIdentified(c, bearer, open)
}

/** A hub that refuses the ticket answers without a socket, as does one of the release before. */
async function reconnectDevice(c: DeviceContext, bearer: string): Promise<Response | null> {
  const { hubs } = c.get('ctx')
  const response = await askTicketHub(c, bearer, ({ hub, returning }) =>
    hubs.connect('router', hub, { by: 'returning', returning }),
  )
  return response?.status === 101 ? response : null
}

/**
 * Asks the hub of a return ticket; null where the ticket does not count. A hub that does not answer may not be the router's
 * hub any more, which the database knows.
 */
async function askTicketHub<T>(
  c: DeviceContext,
  bearer: string,
  ask: (identified: Returning) => Promise<T>,
): Promise<T | null> {
  const ticket = c.req.header(RETURN_TICKET_HEADER)
  const identified = ticket === undefined ? null : await identifyReturning(c.get('ctx'), ticket, bearer)
  if (identified === null) return null
  try {
    return await ask(identified)
  } catch (error) {
    if (!(error instanceof HubAway) || toOverload(error) !== null) throw error
    return null
  }
}

function connectTunnel(c: DeviceContext, bearer: string): Promise<Response> {
  return openIdentified(c, bearer, async ({ directoryHub, device: { deviceId } }) => {
    const ticket = c.req.header(TUNNEL.ticketHeader)
    if (directoryHub === null || ticket === undefined) return refuse('DEVICE_REJECTED')
    return c.get('ctx').hubs.connect('directory', directoryHub, { by: 'tunnel', tunnel: { deviceId, ticket } })
  })
}

/** Refusals that pass by themselves. */
const PASSING: ReadonlySet<ErrorKey> = new Set<ErrorKey>(['ADDRESS_BUSY', 'OVERLOADED'])

/**
 * An upgrade is refused with a real HTTP status; the device reads the message by asking again without an upgrade. A refusal
 * that passes closes the socket instead, with the wait as its reason: asking again would be one call more.
 */
function refusedSocket(c: DeviceContext, found: Violation): Response {
  const answer = refusal(c, found)
  if (!PASSING.has(found.key)) {
    return new Response(answer.body, { status: found.key === 'DEVICES_HELD' ? 503 : 403, headers: answer.headers })
  }
  const { retry_after } = found.params
  return isUpgrade(c) ? closedSocket(CLOSE.restart, `retry_after=${retry_after}`) : answer
}
