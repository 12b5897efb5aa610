import { Hono } from 'hono'
import { documentApi } from '#contract/document/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { readArticle, readImage, readMenu, searchArticles } from './handbook.ts'

export const documentRoutes = new Hono<HonoEnv>()

mount(documentRoutes, documentApi, {
  menu: readMenu,
  info: (ctx, { id }) => readArticle(ctx, id),
  search: (ctx, { q }) => searchArticles(ctx, q),
  image: (ctx, { key }) => readImage(ctx, key),
})
