import { Hono } from 'hono'
import { networkApi } from '../../contract/network.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { createNetwork, deleteNetwork } from './lifecycle.ts'
import { chooseFr } from './fr.ts'
import { editMemberOv } from './member-ov.ts'
import { addMember, editNetwork, reSendConfig, removeMember } from './members.ts'
import { listNetworks, networkInfo, networkMembers, networkQuota, networkStatus, selectNetworks } from './read.ts'
import { settings } from './settings.ts'
import { networkTickets } from './tickets.ts'
import { listUnsupported } from './unsupported.ts'

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
  removeMember,
  reSendConfig,
  unsupported: listUnsupported,
  ...settings,
  ...networkTickets,
  memberOv: editMemberOv,
  fr: chooseFr,
})
