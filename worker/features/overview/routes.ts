import { Hono } from 'hono'
import { overviewApi } from '#contract/overview/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { readEvidence } from './evidence.ts'
import { handle } from './handle.ts'
import { overviewInfo, dismissSteps } from './info.ts'

/* Endpoints of the overview page. */

export const overviewRoutes = new Hono<HonoEnv>()

mount(overviewRoutes, overviewApi, {
  info: overviewInfo,
  evidence: readEvidence,
  handle,
  dismissSteps,
})
