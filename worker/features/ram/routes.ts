import { Hono } from 'hono'
import { ramApi } from '#contract/ram/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { createRam, editRam, endRamSessions, removeRam, setRamStatus } from './manage.ts'
import { changeRamPassword } from './password.ts'
import { listRamLog, listRams, readRam, readRamDomain, readRamQuota } from './read.ts'

export const ramRoutes = new Hono<HonoEnv>()

mount(ramRoutes, ramApi, {
  password: (ctx, { old_password, password }) => changeRamPassword(ctx, old_password, password),
  domain: readRamDomain,
  quantity: readRamQuota,
  lists: listRams,
  info: (ctx, { id }) => readRam(ctx, id),
  create: createRam,
  edit: editRam,
  delete: (ctx, { id }) => removeRam(ctx, id),
  enable: (ctx, { id }) => setRamStatus(ctx, id, 1),
  disable: (ctx, { id }) => setRamStatus(ctx, id, 0),
  endSessions: (ctx, { id }) => endRamSessions(ctx, id),
  log: listRamLog,
})
