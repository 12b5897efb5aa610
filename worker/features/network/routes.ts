import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editCenterGateway } from './addresses/center-segments.ts'
import { editCenterLinkGateway, enableCenterLink, readCenterLink, setCenterLink } from './links/center-link.ts'
import { createNetwork, deleteNetwork } from './lifecycle.ts'
import { chooseFr } from './pop/fr.ts'
import { editMemberOv } from './pop/member-ov.ts'
import { batchAddMember } from './members/batch-add.ts'
import { previewImpact } from './history/impact.ts'
import { killUser, readJob, reSendConfig, resetRespawn } from './members/jobs.ts'
import { addMember, editNetwork, removeMember } from './members/members.ts'
import { editIpAddressPool, readIpAddressPool } from './addresses/ip-address-pool.ts'
import { editFixedPorts } from './addresses/ports.ts'
import { listNetworks, networkInfo, networkMembers, networkQuota, networkStatus, selectNetworks } from './read.ts'
import { networkPrefix, networkRouting } from './routing/read-routing.ts'
import { readEffectiveRoutes } from './routing/read-effective-routes.ts'
import { restoreVersion } from './history/restore.ts'
import {
  disableQuagga,
  editPrefix,
  editRouting,
  enableQuagga,
  setDefaultRoute,
  setDns,
  setQuagga,
  setSoftwareMode,
} from './routing/routing.ts'
import { editPointLink, readPointLinks } from './links/point-link.ts'
import { renameNetwork, setCiphers } from './settings.ts'
import { cancelTicket, createTicket, deleteTicket, listTickets, readTicketConfig, viewTicket } from './pop/tickets.ts'
import { listUnsupported } from './members/unsupported.ts'
import { listNetworkEvents } from './history/events.ts'
import { listVersions } from './history/versions.ts'
import { networkApi } from '#contract/network/index.ts'

export const networkRoutes = new Hono<HonoEnv>()

mount(networkRoutes, networkApi, {
  lists: listNetworks,
  config: networkQuota,
  select: selectNetworks,
  info: networkInfo,
  create: createNetwork,
  edit: editNetwork,
  delete: deleteNetwork,
  status: networkStatus,
  member: networkMembers,
  addMember,
  batchAddMember,
  removeMember,
  reSendConfig,
  killUser,
  resetRespawn,
  job: readJob,
  unsupported: listUnsupported,
  name: renameNetwork,
  ciphers: setCiphers,
  prefix: networkPrefix,
  routing: networkRouting,
  dns: setDns,
  editPrefix,
  editRouting,
  defaultRoute: setDefaultRoute,
  quagga: setQuagga,
  quaggaEnable: enableQuagga,
  quaggaDisable: disableQuagga,
  softwareMode: setSoftwareMode,
  routes: readEffectiveRoutes,
  centerLinkNetwork: readCenterLink,
  centerLink: setCenterLink,
  enableCenterLink,
  editCenterLinkGateway,
  pointLink: readPointLinks,
  editPointLink,
  fixedPort: editFixedPorts,
  editCenterGateway,
  ipAddressPool: readIpAddressPool,
  editIpAddressPool,
  ticketLists: listTickets,
  ticketView: viewTicket,
  ticketConfig: readTicketConfig,
  ticket: createTicket,
  ticketCancel: cancelTicket,
  ticketDelete: deleteTicket,
  memberOv: editMemberOv,
  fr: chooseFr,
  events: listNetworkEvents,
  versions: listVersions,
  impact: previewImpact,
  restore: restoreVersion,
})
