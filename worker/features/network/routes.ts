import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editCenterGateway } from './center-segments.ts'
import { centerLink } from './center-link.ts'
import { createNetwork, deleteNetwork } from './lifecycle.ts'
import { chooseFr } from './fr.ts'
import { editMemberOv } from './member-ov.ts'
import { batchAddMember } from './batch-add.ts'
import { previewImpact } from './impact.ts'
import { killUser, readJob, reSendConfig, resetRespawn } from './jobs.ts'
import { addMember, editNetwork, removeMember } from './members.ts'
import { editIpAddressPool, ipAddressPool } from './ip-address-pool.ts'
import { editFixedPorts } from './ports.ts'
import { listNetworks, networkInfo, networkMembers, networkQuota, networkStatus, selectNetworks } from './read.ts'
import { networkPrefix, networkRouting } from './read-routing.ts'
import { readEffectiveRoutes } from './read-effective-routes.ts'
import { restoreVersion } from './restore.ts'
import { routing } from './routing.ts'
import { editPointLink, pointLink } from './point-link.ts'
import { settings } from './settings.ts'
import { networkTickets } from './tickets.ts'
import { listUnsupported } from './unsupported.ts'
import { listNetworkEvents } from './events.ts'
import { listVersions } from './versions.ts'
import { networkApi } from '#contract/network/index.ts'

/** Handlers of contract/network/addresses.ts. */
const addresses = {
  fixedPort: editFixedPorts,
  editCenterGateway,
  ipAddressPool,
  editIpAddressPool,
}

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
  ...settings,
  prefix: networkPrefix,
  routing: networkRouting,
  ...routing,
  routes: readEffectiveRoutes,
  ...centerLink,
  pointLink,
  editPointLink,
  ...addresses,
  ...networkTickets,
  memberOv: editMemberOv,
  fr: chooseFr,
  events: listNetworkEvents,
  versions: listVersions,
  impact: previewImpact,
  restore: restoreVersion,
})
