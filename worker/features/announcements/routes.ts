import { Hono } from 'hono'
import { announcementsApi } from '../../contract/announcements.ts'
import { refuse } from '../../contract/errors.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { announcementById, countAnnouncements, pageOfAnnouncements } from './queries.ts'

export const announcementsRoutes = new Hono<HonoEnv>()

mount(announcementsRoutes, announcementsApi, {
  lists: async ({ db }, { page, limit }) => {
    const [data, [counted]] = await db.batch([pageOfAnnouncements(db, page, limit), countAnnouncements(db)])
    return { data, count: counted?.total ?? 0 }
  },
  info: async ({ db }, { id }) => {
    const [row] = await announcementById(db, id)
    return row ?? refuse('ANNOUNCEMENT_NOT_FOUND')
  },
})
