import { Hono } from 'hono'
import { DONE } from '../../contract/errors.ts'
import { opsApi } from '../../contract/ops.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { createAccount, createRam, createTokenLink, sendMessage, setAccountStatus, setService } from './accounts.ts'
import { publishAnnouncement } from './announcements.ts'
import { provisionDevice, resetDevice } from './devices.ts'

export const opsRoutes = new Hono<HonoEnv>()

route(opsRoutes, opsApi.createAccount, async (ctx, input) => ({ data: await createAccount(ctx, input) }))
route(opsRoutes, opsApi.setAccountStatus, async (ctx, input) => {
  await setAccountStatus(ctx, input)
  return { data: null, msg: DONE.set }
})
route(opsRoutes, opsApi.setService, async (ctx, input) => ({ data: await setService(ctx, input), msg: DONE.set }))
route(opsRoutes, opsApi.createRam, async (ctx, input) => ({ data: await createRam(ctx, input) }))
route(opsRoutes, opsApi.provisionDevice, async (ctx, input) => ({ data: await provisionDevice(ctx, input) }))
route(opsRoutes, opsApi.resetDevice, async (ctx, { serial }) => ({ data: await resetDevice(ctx, serial) }))
route(opsRoutes, opsApi.tokenLink, async (ctx, input) => ({ data: await createTokenLink(ctx, input) }))
route(opsRoutes, opsApi.publishAnnouncement, async (ctx, input) => ({ data: await publishAnnouncement(ctx, input) }))
route(opsRoutes, opsApi.sendMessage, async (ctx, input) => ({ data: await sendMessage(ctx, input), msg: DONE.sent }))
