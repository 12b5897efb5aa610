import { Hono } from 'hono'
import { logsApi } from '#contract/logs/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { exportLog } from './export.ts'
import { listAudit, listConnections, listLogins, listOnline } from './lists.ts'

/* Endpoints of logs. */

export const logsRoutes = new Hono<HonoEnv>()

mount(logsRoutes, logsApi, {
  softwareLogin: listLogins,
  online: listOnline,
  connect: listConnections,
  audit: listAudit,
  export: exportLog,
})
