import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editCenterGateway } from './addresses/center-segments.ts'
import { centerLink } from './links/center-link.ts'
import { createNetwork, deleteNetwork } from './lifecycle.ts'
import { chooseFr } from './pop/fr.ts'
import { editMemberOv } from './pop/member-ov.ts'
import { batchAddMember } from './members/batch-add.ts'
import { previewImpact } from './history/impact.ts'
import { killUser, readJob, reSendConfig, resetRespawn } from './members/jobs.ts'
import { addMember, editNetwork, removeMember } from './members/members.ts'
import { editIpAddressPool, ipAddressPool } from './addresses/ip-address-pool.ts'
import { editFixedPorts } from './addresses/ports.ts'
import { listNetworks, networkInfo, networkMembers, networkQuota, networkStatus, selectNetworks } from './read.ts'
import { networkPrefix, networkRouting } from './routing/read-routing.ts'
import { readEffectiveRoutes } from './routing/read-effective-routes.ts'
import { restoreVersion } from './history/restore.ts'
import { routing } from './routing/routing.ts'
import { editPointLink, pointLink } from './links/point-link.ts'
import { settings } from './settings.ts'
import { networkTickets } from './pop/tickets.ts'
import { listUnsupported } from './members/unsupported.ts'
import { listNetworkEvents } from './history/events.ts'
import { listVersions } from './history/versions.ts'
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
