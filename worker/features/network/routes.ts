import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import {
  editCenterLinkGateway,
  enableCenterLink,
  readCenterLink,
  setCenterLink,
  editPointLink,
  readPointLinks,
} from './pair-links.ts'
import { createNetwork, deleteNetwork, renameNetwork, setCiphers, listUnsupported } from './networks.ts'
import { chooseFr, editMemberOv } from './pop/resource.ts'
import { previewImpact } from './history/impact.ts'
import { listDiagnoses, readDiagnosis, startDiagnosis } from './diagnosis/diagnosis.ts'
import { killUser, readJob, reSendConfig, resetRespawn } from './members/jobs.ts'
import { addMember, editNetwork, removeMember, batchAddMember } from './members/change-members.ts'
import { editIpAddressPool, readIpAddressPool, editCenterGateway, editFixedPorts } from './addresses/addresses.ts'
import { listVersions } from './history/history.ts'
import {
  listNetworks,
  networkInfo,
  networkMembers,
  networkQuota,
  networkStatus,
  selectNetworks,
  listNetworkEvents,
} from './read.ts'
import { readActualRoutes } from './routing/actual-routes.ts'
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
  networkPrefix,
  networkRouting,
  readEffectiveRoutes,
} from './routing/routing.ts'
import { cancelTicket, createTicket, deleteTicket, listTickets, readTicketConfig, viewTicket } from './pop/tickets.ts'
import { listTunnels, readLinkHistory } from './tunnels.ts'
import { networkApi } from '#contract/network/index.ts'

/* Maps each call of the network API to its handler. */

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
  actualRoutes: readActualRoutes,
  diagnose: startDiagnosis,
  diagnosis: readDiagnosis,
  diagnoses: listDiagnoses,
  tunnels: listTunnels,
  linkHistory: readLinkHistory,
})
