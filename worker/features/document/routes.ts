import { Hono } from 'hono'
import { documentApi } from '#contract/document/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { readArticle, readImage, readMenu, searchArticles } from './handbook.ts'

/* Endpoints of the handbook. */

export const documentRoutes = new Hono<HonoEnv>()

mount(documentRoutes, documentApi, {
  menu: readMenu,
  info: readArticle,
  search: searchArticles,
  image: readImage,
})
