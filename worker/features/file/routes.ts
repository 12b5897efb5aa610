import { Hono } from 'hono'
import { fileApi } from '#contract/file/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { readFile } from './content.ts'

/* Endpoint that reads a customer's file. */

export const fileRoutes = new Hono<HonoEnv>()

mount(fileRoutes, fileApi, {
  content: readFile,
})
