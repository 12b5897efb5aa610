import { type Context, Hono } from 'hono'
import { HUB_HEADER } from '../../../durable/ports.ts'
import { deviceApi } from '../../contract/device.ts'
import { AppError, fail } from '../../http/app-error.ts'
import type { HonoEnv } from '../../http/context.ts'
import { refusal, route } from '../../http/route.ts'
import { identifyDevice } from './connect.ts'
import { enrolDevice } from './enrol.ts'

export const deviceRoutes = new Hono<HonoEnv>()

route(deviceRoutes, deviceApi.enrol, async (ctx, input) => {
  await enrolDevice(ctx, input)
  return { data: null }
})

deviceRoutes.get(`/${deviceApi.connect.path}`, async (c) => {
  const ctx = c.get('ctx')
  try {
    const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? fail('DEVICE_REJECTED')
    const identity = await identifyDevice(ctx, bearer)
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') return c.json({ code: 200, msg: '', data: null })
    return await ctx.hubs.router(identity.routerId).connect(
      new Request('https://hub/', {
        headers: { upgrade: 'websocket', [HUB_HEADER.device]: encodeURIComponent(JSON.stringify(identity)) },
      }),
    )
  } catch (error) {
    if (error instanceof AppError) return forbidden(c, error)
    throw error
  }
})

/** An upgrade is refused with a real HTTP status; the device reads the words by asking again without one. */
function forbidden(c: Context<HonoEnv>, { violation }: AppError): Response {
  const { body, headers } = refusal(c, violation)
  return new Response(body, { status: 403, headers })
}
