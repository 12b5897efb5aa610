import { Hono } from 'hono'
import { authSourceApi } from '#contract/auth-source/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { listSources, readCode, readSource } from './read.ts'
import { createSource, editSource } from './save.ts'
import { removeSource, setSourceStatus } from './status.ts'

export const authSourceRoutes = new Hono<HonoEnv>()

mount(authSourceRoutes, authSourceApi, {
  code: readCode,
  lists: listSources,
  info: (ctx, { id }) => readSource(ctx, id),
  create: createSource,
  edit: editSource,
  enable: (ctx, { id }) => setSourceStatus(ctx, id, 1),
  disable: (ctx, { id }) => setSourceStatus(ctx, id, 0),
  delete: (ctx, { id }) => removeSource(ctx, id),
})
