import { Hono } from 'hono'
import { saasApi } from '#contract/saas/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editBandwidth } from './bandwidth.ts'
import { flowChart, flowTop, listPresences, listSaas, saasInfo, saasTraffic } from './read.ts'

export const saasRoutes = new Hono<HonoEnv>()

mount(saasRoutes, saasApi, {
  router: listSaas,
  info: saasInfo,
  connect: listPresences,
  traffic: saasTraffic,
  appLog: flowChart('apps'),
  appLogTop: flowTop('apps'),
  origScrLog: flowChart('sources'),
  origScrLogTop: flowTop('sources'),
  bandwidth: editBandwidth,
})
