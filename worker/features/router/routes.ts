import { Hono } from 'hono'
import { createSocketTicket } from '#features/live/service.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { addRouter } from './add.ts'
import { batchAdd } from './batch-add.ts'
import { batchDeleteFile } from './batch-delete-file.ts'
import { batchNote, batchResend } from './bulk.ts'
import { batchDelete, deleteRouter } from './delete.ts'
import { listRouterEvents } from './events.ts'
import { addTemplate, deleteTemplate, exportMembers } from './export.ts'
import { editNote, resendRouter } from './manage.ts'
import { listRouterPaths } from './paths.ts'
import {
  listHardware,
  listRouters,
  listSoftware,
  networkCandidates,
  routerInfo,
  routerQuantity,
  routerSeries,
  routerTraffic,
} from './read.ts'
import { bindPhone, changePassword } from './software-credentials.ts'
import { replaceRouter } from './replace.ts'
import { editStaticRoutes } from './static-routes.ts'
import { updateStatus } from './status.ts'
import { listUsage } from './usage.ts'
import { routerApi } from '#contract/router/index.ts'

export const routerRoutes = new Hono<HonoEnv>()

mount(routerRoutes, routerApi, {
  lists: listRouters,
  quantity: routerQuantity,
  info: routerInfo,
  paths: listRouterPaths,
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
  software: listSoftware,
  hardware: listHardware,
  usage: listUsage,
  export: exportMembers,
  softwareTemplate: addTemplate,
  softwareDeleteTemplate: deleteTemplate,
  batch: batchAdd,
  batchDeleteFile,
  phone: bindPhone,
  password: changePassword,
  staticRoutes: editStaticRoutes,
  replace: replaceRouter,
  batchNote,
  batchResend,
  trafficTicket: createSocketTicket,
})
