import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { listMutes, mute, unmute } from './mutes.ts'
import { acknowledge, listAlerts, listChildren, listDeliveries, listUnsent, resend } from './records.ts'
import { setMonitor, listDevices, readConfig, closeMonitor, enableMonitor } from './settings.ts'
import { monitorApi } from '#contract/monitor/index.ts'

/* Endpoints of monitoring and alerts. */

export const monitorRoutes = new Hono<HonoEnv>()

mount(monitorRoutes, monitorApi, {
  config: readConfig,
  setting: setMonitor,
  enable: enableMonitor,
  close: closeMonitor,
  routers: listDevices,
  alerts: listAlerts,
  children: listChildren,
  acknowledge,
  deliveries: listDeliveries,
  unsent: listUnsent,
  resend,
  mutes: listMutes,
  mute,
  unmute,
})
