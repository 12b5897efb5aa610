import { Hono } from 'hono'
import { DONE } from '../../contract/errors.ts'
import { routerApi } from '../../contract/router.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { addRouter } from './add.ts'
import { deleteRouter, editNote, resendRouter, updateStatus } from './manage.ts'
import { listRouters, networkCandidates, routerInfo, routerQuantity, routerTraffic } from './read.ts'

export const routerRoutes = new Hono<HonoEnv>()

route(routerRoutes, routerApi.lists, listRouters)
route(routerRoutes, routerApi.quantity, async (ctx) => ({ data: await routerQuantity(ctx) }))
route(routerRoutes, routerApi.info, async (ctx, input) => ({ data: await routerInfo(ctx, input) }))
route(routerRoutes, routerApi.member, async (ctx, input) => ({ data: await networkCandidates(ctx, input) }))
route(routerRoutes, routerApi.traffic, async (ctx, input) => ({ data: await routerTraffic(ctx, input) }))

route(routerRoutes, routerApi.add, async (ctx, input) => ({ data: await addRouter(ctx, input), msg: DONE.added }))
route(routerRoutes, routerApi.note, async (ctx, input) => {
  await editNote(ctx, input)
  return { data: null, msg: DONE.changed }
})
route(routerRoutes, routerApi.delete, async (ctx, input) => {
  await deleteRouter(ctx, input)
  return { data: null, msg: DONE.deleted }
})
route(routerRoutes, routerApi.updateStatus, async (ctx, input) => {
  await updateStatus(ctx, input)
  return { data: null, msg: DONE.sent }
})
route(routerRoutes, routerApi.resend, async (ctx, input) => {
  await resendRouter(ctx, input)
  return { data: null, msg: DONE.resent }
})
