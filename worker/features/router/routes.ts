import { Hono } from 'hono'
import { routerApi } from '../../contract/router.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { addRouter } from './add.ts'
import { batchDelete, deleteRouter } from './delete.ts'
import { listRouterEvents } from './events.ts'
import { editNote, resendRouter } from './manage.ts'
import { listRouters, networkCandidates, routerInfo, routerQuantity, routerSeries, routerTraffic } from './read.ts'
import { updateStatus } from './status.ts'

export const routerRoutes = new Hono<HonoEnv>()

mount(routerRoutes, routerApi, {
  lists: listRouters,
  quantity: routerQuantity,
  info: routerInfo,
  events: listRouterEvents,
  add: addRouter,
  note: editNote,
  delete: deleteRouter,
  batchDelete,
  updateStatus,
  resend: resendRouter,
  member: networkCandidates,
  traffic: routerTraffic,
  series: routerSeries,
})
