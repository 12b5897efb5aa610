import { Hono } from 'hono'
import { DONE } from '../../contract/errors.ts'
import { networkApi } from '../../contract/network.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { createNetwork, deleteNetwork, renameNetwork } from './lifecycle.ts'
import { addMember, editNetwork, reSendConfig, removeMember } from './members.ts'
import { listNetworks, networkInfo, networkMembers, networkQuota, networkStatus, selectNetworks } from './read.ts'

export const networkRoutes = new Hono<HonoEnv>()

route(networkRoutes, networkApi.lists, listNetworks)
route(networkRoutes, networkApi.config, async (ctx) => ({ data: await networkQuota(ctx) }))
route(networkRoutes, networkApi.select, async (ctx) => ({ data: await selectNetworks(ctx) }))
route(networkRoutes, networkApi.info, async (ctx, input) => ({ data: await networkInfo(ctx, input) }))
route(networkRoutes, networkApi.status, async (ctx, input) => ({ data: await networkStatus(ctx, input) }))
route(networkRoutes, networkApi.member, async (ctx, input) => ({ data: await networkMembers(ctx, input) }))

route(networkRoutes, networkApi.create, async (ctx, input) => ({
  data: await createNetwork(ctx, input),
  msg: DONE.saved,
}))
route(networkRoutes, networkApi.edit, async (ctx, input) => {
  await editNetwork(ctx, input)
  return { data: null, msg: DONE.saved }
})
route(networkRoutes, networkApi.name, async (ctx, input) => {
  await renameNetwork(ctx, input)
  return { data: null, msg: DONE.changed }
})
route(networkRoutes, networkApi.delete, async (ctx, input) => {
  await deleteNetwork(ctx, input)
  return { data: null, msg: DONE.deleted }
})
route(networkRoutes, networkApi.addMember, async (ctx, input) => {
  await addMember(ctx, input)
  return { data: null, msg: DONE.added }
})
route(networkRoutes, networkApi.removeMember, async (ctx, input) => {
  await removeMember(ctx, input)
  return { data: null, msg: DONE.deleted }
})
route(networkRoutes, networkApi.reSendConfig, async (ctx, input) => {
  await reSendConfig(ctx, input)
  return { data: null, msg: DONE.resent }
})
