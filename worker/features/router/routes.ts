import { Hono } from 'hono'
import { createSocketTicket } from '#features/live/service.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { addRouter } from './add.ts'
import { batchAdd, batchDeleteFile, addTemplate, deleteTemplate, exportMembers } from './member-file.ts'
import { batchDelete, deleteRouter } from './delete.ts'
import { listRouterEvents, listRouterPaths } from './health.ts'
import { editNote, resendRouter, batchNote, batchResend, updateStatus } from './manage.ts'
import {
  listHardware,
  listRouters,
  listSoftware,
  routerInfo,
  routerQuantity,
  routerSeries,
  routerTraffic,
  listUsage,
} from './read.ts'
import { findCandidates, listCandidates } from './candidates.ts'
import { bindPhone, changePassword } from './software-credentials.ts'
import { listMemberProfiles, revokeMemberProfile } from './profiles.ts'
import { replaceRouter } from './replace.ts'
import { editEndpoints } from './endpoints.ts'
import { editStaticRoutes } from './static-routes.ts'
import { routerApi } from '#contract/router/index.ts'

/* Endpoints of members (routers and software). */

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
  member: listCandidates,
  choices: findCandidates,
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
  endpoints: editEndpoints,
  replace: replaceRouter,
  batchNote,
  batchResend,
  profiles: listMemberProfiles,
  revokeProfile: revokeMemberProfile,
  trafficTicket: createSocketTicket,
})
