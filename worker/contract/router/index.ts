import { profiles } from './profiles.ts'
import { routers } from './routers.ts'
import { software } from './software.ts'
import { hardware } from './hardware.ts'
import { trafficTicket } from './traffic-ticket.ts'

/** Endpoints of the router noun, collected. */
export const routerApi = {
  lists: routers.lists,
  quantity: routers.quantity,
  info: routers.info,
  paths: routers.paths,
  events: routers.events,
  add: routers.add,
  note: routers.note,
  delete: routers.delete,
  batchDelete: routers.batchDelete,
  updateStatus: routers.updateStatus,
  resend: routers.resend,
  member: routers.member,
  choices: routers.choices,
  traffic: routers.traffic,
  series: routers.series,
  software: software.software,
  hardware: software.hardware,
  usage: software.usage,
  export: software.export,
  softwareTemplate: software.softwareTemplate,
  softwareDeleteTemplate: software.softwareDeleteTemplate,
  batch: software.batch,
  batchDeleteFile: software.batchDeleteFile,
  phone: software.phone,
  password: software.password,
  staticRoutes: hardware.staticRoutes,
  endpoints: hardware.endpoints,
  replace: hardware.replace,
  batchNote: hardware.batchNote,
  batchResend: hardware.batchResend,
  profiles: profiles.profiles,
  revokeProfile: profiles.revokeProfile,
  trafficTicket,
} as const
