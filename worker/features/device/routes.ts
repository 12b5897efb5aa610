import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { type Context, Hono } from 'hono'
import { deviceApi } from '#contract/device/index.ts'
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

type Identified = Awaited<ReturnType<typeof identifyDevice>>

/** Mounts a socket of a device, which sends its token. Without an upgrade the answer gives the reason for a refusal. */
function mountSocket(path: string, open: (c: Context<HonoEnv>, identified: Identified) => Promise<Response>): void {
  deviceRoutes.get(`/${path}`, async (c) => {
    try {
      const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? refuse('DEVICE_REJECTED')
      const identified = await identifyDevice(c.get('ctx'), bearer)
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') return c.json({ code: 200, msg: '', data: null })
      return await open(c, identified)
    } catch (error) {
      if (error instanceof Refusal) return forbidden(c, error)
      throw error
    }
  })
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
function forbidden(c: Context<HonoEnv>, { violation }: Refusal): Response {
  const { body, headers } = refusal(c, violation)
  return new Response(body, { status: 403, headers })
}
