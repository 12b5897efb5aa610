import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { type Context, Hono } from 'hono'
import { deviceApi } from '#contract/device/index.ts'
import { CLOSE, DOCUMENT_HEADER, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import type { HonoEnv } from '#http/context.ts'
import { refusal } from '#http/errors.ts'
import { mount } from '#http/mount.ts'
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
type Identified = Extract<Awaited<ReturnType<typeof identifyDevice>>, { isRemoved: false }>

/** Mounts a socket of a device, which sends its token. Without an upgrade the answer gives the reason for a refusal. */
function mountSocket(path: string, open: (c: DeviceContext, bearer: string) => Promise<Response>): void {
  deviceRoutes.get(`/${path}`, async (c) => {
    try {
      const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? refuse('DEVICE_REJECTED')
      if (c.req.header('upgrade')?.toLowerCase() === 'websocket') return await open(c, bearer)
      const { isRemoved } = await identify(c, bearer)
      return isRemoved ? refuse('DEVICE_REMOVED') : c.json({ code: 200, msg: '', data: null })
    } catch (error) {
      if (error instanceof Refusal) return refusedUpgrade(c, error)
      throw error
    }
  })
}

const identify = (c: DeviceContext, bearer: string) =>
  identifyDevice(c.get('ctx'), bearer, c.req.header(DOCUMENT_HEADER) === '1')

/** Opens a socket of a device by its rows. */
async function openIdentified(c: DeviceContext, bearer: string, open: (identified: Identified) => Promise<Response>) {
  const identified = await identify(c, bearer)
  return identified.isRemoved ? removedSocket() : open(identified)
}

/** Agents of every release take their configuration off on this close. */
function removedSocket(): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.close(CLOSE.removed, 'removed')
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
  const ticket = c.req.header(RETURN_TICKET_HEADER)
  const identified = ticket === undefined ? null : await identifyReturning(c.get('ctx'), ticket, bearer)
  if (identified === null) return null
  const { hub, returning } = identified
  const response = await c.get('ctx').hubs.connect('router', hub, { by: 'returning', returning })
  return response.status === 101 ? response : null
}

function connectTunnel(c: DeviceContext, bearer: string): Promise<Response> {
  return openIdentified(c, bearer, async ({ directoryHub, device: { deviceId } }) => {
    const ticket = c.req.header(TUNNEL.ticketHeader)
    if (directoryHub === null || ticket === undefined) return refuse('DEVICE_REJECTED')
    return c.get('ctx').hubs.connect('directory', directoryHub, { by: 'tunnel', tunnel: { deviceId, ticket } })
  })
}

/** An upgrade is refused with a real HTTP status; the device reads the message by asking again without an upgrade. */
function refusedUpgrade(c: DeviceContext, { violation }: Refusal): Response {
  const { body, headers } = refusal(c, violation)
  const { retry_after } = violation.params
  if (violation.key !== 'DEVICES_HELD') return new Response(body, { status: 403, headers })
  headers.set('retry-after', String(retry_after))
  return new Response(body, { status: 503, headers })
}
