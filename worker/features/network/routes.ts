import { Hono } from 'hono'
import { networkApi } from '../../contract/network.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { editCiphers } from './ciphers.ts'
import { createNetwork, deleteNetwork, renameNetwork } from './lifecycle.ts'
import { addMember, editNetwork, reSendConfig, removeMember } from './members.ts'
import { listNetworks, networkInfo, networkMembers, networkQuota, networkStatus, selectNetworks } from './read.ts'

export const networkRoutes = new Hono<HonoEnv>()

mount(networkRoutes, networkApi, {
  lists: listNetworks,
  config: networkQuota,
  select: selectNetworks,
  info: networkInfo,
  create: createNetwork,
  edit: editNetwork,
  name: renameNetwork,
  delete: deleteNetwork,
  status: networkStatus,
  member: networkMembers,
  addMember,
  removeMember,
  ciphers: editCiphers,
  reSendConfig,
})
