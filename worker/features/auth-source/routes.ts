import { Hono } from 'hono'
import { authSourceApi } from '#contract/auth-source/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { listSources, readCode, readSource } from './read.ts'
import { createSource, editSource, disableSource, enableSource, removeSource } from './manage.ts'

/* Endpoints of authentication sources (认证源). */

export const authSourceRoutes = new Hono<HonoEnv>()

mount(authSourceRoutes, authSourceApi, {
  code: readCode,
  lists: listSources,
  info: readSource,
  create: createSource,
  edit: editSource,
  enable: enableSource,
  disable: disableSource,
  delete: removeSource,
})
