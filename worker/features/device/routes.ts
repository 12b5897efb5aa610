import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { type Context, Hono } from 'hono'
import { deviceApi } from '#contract/device/index.ts'
import { CLOSE, DOCUMENT_HEADER } from '#contract/kernel/protocol.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import type { HonoEnv } from '#http/context.ts'
import { refusal } from '#http/errors.ts'
import { mount } from '#http/mount.ts'
import { identifyDevice, enrolDevice } from './connect.ts'

/* Endpoints of devices: enrolment, the socket of the router, and the tunnel to the directory. */

export const deviceRoutes = new Hono<HonoEnv>()

const { enrol, connect, tunnel } = deviceApi
const calls = { enrol }

mount(deviceRoutes, calls, {
  enrol: enrolDevice,
})

mountSocket(connect.path, connectDevice)
mountSocket(tunnel.path, connectTunnel)

type Identified = Extract<Awaited<ReturnType<typeof identifyDevice>>, { isRemoved: false }>

/** Mounts a socket of a device, which sends its token. Without an upgrade the answer gives the reason for a refusal. */
function mountSocket(path: string, open: (c: Context<HonoEnv>, identified: Identified) => Promise<Response>): void {
  deviceRoutes.get(`/${path}`, async (c) => {
    try {
      const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? refuse('DEVICE_REJECTED')
      const holdsDocument = c.req.header(DOCUMENT_HEADER) === '1'
      const identified = await identifyDevice(c.get('ctx'), bearer, holdsDocument)
      const isUpgrade = c.req.header('upgrade')?.toLowerCase() === 'websocket'
      if (identified.isRemoved) return isUpgrade ? removedSocket() : refuse('DEVICE_REMOVED')
      return isUpgrade ? await open(c, identified) : c.json({ code: 200, msg: '', data: null })
    } catch (error) {
      if (error instanceof Refusal) return refusedUpgrade(c, error)
      throw error
    }
  })
}

/** Agents of every release take their configuration off on this close. */
function removedSocket(): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.close(CLOSE.removed, 'removed')
  return new Response(null, { status: 101, webSocket: client })
}

function connectDevice(c: Context<HonoEnv>, { hub, device }: Identified): Promise<Response> {
  return c.get('ctx').hubs.connect('router', hub, { by: 'device', device })
}

async function connectTunnel(c: Context<HonoEnv>, { directoryHub, device: { deviceId } }: Identified) {
  const ticket = c.req.header(TUNNEL.ticketHeader)
  if (directoryHub === null || ticket === undefined) return refuse('DEVICE_REJECTED')
  return c.get('ctx').hubs.connect('directory', directoryHub, { by: 'tunnel', tunnel: { deviceId, ticket } })
}

/** An upgrade is refused with a real HTTP status; the device reads the message by asking again without an upgrade. */
function refusedUpgrade(c: Context<HonoEnv>, { violation }: Refusal): Response {
  const { body, headers } = refusal(c, violation)
  const { retry_after } = violation.params
  if (violation.key !== 'DEVICES_HELD') return new Response(body, { status: 403, headers })
  headers.set('retry-after', String(retry_after))
  return new Response(body, { status: 503, headers })
}
