import { Hono } from 'hono'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { createRole, editRole, removeRole } from './manage.ts'
import { listRoles, readRole, selectableRoles } from './read.ts'

/* Endpoints of roles. */

export const ramRoleRoutes = new Hono<HonoEnv>()

mount(ramRoleRoutes, ramRoleApi, {
  lists: listRoles,
  select: selectableRoles,
  info: readRole,
  create: createRole,
  edit: editRole,
  delete: removeRole,
})
