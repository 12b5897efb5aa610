import { Hono } from 'hono'
import { downloadApi } from '#contract/download/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { listVersions, downloadFile } from './versions.ts'

/* Endpoints of downloads of the client application. */

export const downloadRoutes = new Hono<HonoEnv>()

mount(downloadRoutes, downloadApi, {
  versions: listVersions,
  file: downloadFile,
})
