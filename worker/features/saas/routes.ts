import { Hono } from 'hono'
import { saasApi } from '#contract/saas/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import {
  listPresences,
  listSaas,
  readAppFlows,
  readSourceFlows,
  readTopApps,
  readTopSources,
  saasInfo,
  saasTraffic,
  editBandwidth,
} from './devices.ts'

/* Endpoints of SaaS devices. */

export const saasRoutes = new Hono<HonoEnv>()

mount(saasRoutes, saasApi, {
  router: listSaas,
  info: saasInfo,
  connect: listPresences,
  traffic: saasTraffic,
  appLog: readAppFlows,
  appLogTop: readTopApps,
  origScrLog: readSourceFlows,
  origScrLogTop: readTopSources,
  bandwidth: editBandwidth,
})
