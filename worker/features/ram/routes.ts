import { Hono } from 'hono'
import { ramApi } from '#contract/ram/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { createRam, disableRam, editRam, enableRam, endRamSessions, removeRam } from './manage.ts'
import { changeRamPassword } from './password.ts'
import { listRamLog, listRams, readRam, readRamDomain, readRamQuota } from './read.ts'

/* Endpoints of sub-accounts. */

export const ramRoutes = new Hono<HonoEnv>()

mount(ramRoutes, ramApi, {
  password: changeRamPassword,
  domain: readRamDomain,
  quantity: readRamQuota,
  lists: listRams,
  info: readRam,
  create: createRam,
  edit: editRam,
  delete: removeRam,
  enable: enableRam,
  disable: disableRam,
  endSessions: endRamSessions,
  log: listRamLog,
})
