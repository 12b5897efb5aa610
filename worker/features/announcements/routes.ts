import { type Context, Hono } from 'hono'
import { announcementsApi } from '#contract/announcements/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { paged } from '#db/paged.ts'
import { listedHost } from '#domain/site/brand.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { readAnnouncementImage } from './service.ts'
import { selectAnnouncement, selectAnnouncements } from './sql.ts'

export const announcementsRoutes = new Hono<HonoEnv>()

/** The host asked; '' where it is not listed. */
const hostOf = (c: Context<HonoEnv>): string => listedHost(new URL(c.req.url).hostname) ?? ''

mount(announcementsRoutes, announcementsApi, {
  lists: ({ db }, page, c) => paged(db, selectAnnouncements(db, hostOf(c)).$dynamic(), page),
  info: async ({ db }, { id }, c) => {
    const [row] = await selectAnnouncement(db, id, hostOf(c))
    return row ?? refuse('ANNOUNCEMENT_NOT_FOUND')
  },
  image: (ctx, { key }) => readAnnouncementImage(ctx, key),
})
