import { tickets, pop } from './pop.ts'
import { bulk, networks } from './networks.ts'
import { routing, effectiveRoutes } from './routing.ts'
import { addresses } from './addresses.ts'
import { links } from './links.ts'
import { jobs } from './jobs.ts'
import { history, impact } from './changes.ts'

/* Endpoints of the network noun, collected. */

export const networkApi = {
  ticketLists: tickets.ticketLists,
  ticketView: tickets.ticketView,
  ticketConfig: tickets.ticketConfig,
  ticket: tickets.ticket,
  ticketCancel: tickets.ticketCancel,
  ticketDelete: tickets.ticketDelete,
  fr: pop.fr,
  memberOv: pop.memberOv,
  lists: networks.lists,
  config: networks.config,
  select: networks.select,
  info: networks.info,
  create: networks.create,
  edit: networks.edit,
  name: networks.name,
  delete: networks.delete,
  status: networks.status,
  member: networks.member,
  addMember: networks.addMember,
  removeMember: networks.removeMember,
  ciphers: networks.ciphers,
  unsupported: networks.unsupported,
  reSendConfig: networks.reSendConfig,
  dns: routing.dns,
  prefix: routing.prefix,
  editPrefix: routing.editPrefix,
  routing: routing.routing,
  editRouting: routing.editRouting,
  defaultRoute: routing.defaultRoute,
  quagga: routing.quagga,
  quaggaEnable: routing.quaggaEnable,
  quaggaDisable: routing.quaggaDisable,
  softwareMode: routing.softwareMode,
  routes: effectiveRoutes.routes,
  fixedPort: addresses.fixedPort,
  editCenterGateway: addresses.editCenterGateway,
  ipAddressPool: addresses.ipAddressPool,
  editIpAddressPool: addresses.editIpAddressPool,
  centerLinkNetwork: links.centerLinkNetwork,
  centerLink: links.centerLink,
  enableCenterLink: links.enableCenterLink,
  editCenterLinkGateway: links.editCenterLinkGateway,
  pointLink: links.pointLink,
  editPointLink: links.editPointLink,
  batchAddMember: bulk.batchAddMember,
  killUser: jobs.killUser,
  resetRespawn: jobs.resetRespawn,
  job: jobs.job,
  events: history.events,
  versions: history.versions,
  restore: history.restore,
  impact: impact.impact,
} as const
