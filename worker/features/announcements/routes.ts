import { Hono } from 'hono'
import { announcementsApi } from '../../contract/announcements.ts'
import { refuse } from '../../contract/errors.ts'
import { paged } from '../../db/paged.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { selectAnnouncement, selectAnnouncements } from './queries.ts'

export const announcementsRoutes = new Hono<HonoEnv>()

mount(announcementsRoutes, announcementsApi, {
  lists: ({ db }, page) => paged(db, selectAnnouncements(db).$dynamic(), page),
  info: async ({ db }, { id }) => {
    const [row] = await selectAnnouncement(db, id)
    return row ?? refuse('ANNOUNCEMENT_NOT_FOUND')
  },
})
