import { Refusal, refuse } from '../../contract/errors.ts'
import { type Context, Hono } from 'hono'
import { deviceApi } from '../../contract/device.ts'
import type { HonoEnv } from '../../http/context.ts'
import { refusal } from '../../http/errors.ts'
import { mount } from '../../http/mount.ts'
import { identifyDevice } from './connect.ts'
import { enrolDevice } from './enrol.ts'

export const deviceRoutes = new Hono<HonoEnv>()

const { connect, ...calls } = deviceApi
mount(deviceRoutes, calls, { enrol: enrolDevice })

deviceRoutes.get(`/${connect.path}`, async (c) => {
  const ctx = c.get('ctx')
  try {
    const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? refuse('DEVICE_REJECTED')
    const { hub, device } = await identifyDevice(ctx, bearer)
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') return c.json({ code: 200, msg: '', data: null })
    return await ctx.hubs.connect('router', hub, { by: 'device', device })
  } catch (error) {
    if (error instanceof Refusal) return forbidden(c, error)
    throw error
  }
})

/** An upgrade is refused with a real HTTP status; the device reads the message by asking again without an upgrade. */
function forbidden(c: Context<HonoEnv>, { violation }: Refusal): Response {
  const { body, headers } = refusal(c, violation)
  return new Response(body, { status: 403, headers })
}
