import { refuse } from '../../contract/errors.ts'
import { Hono } from 'hono'
import { announcementsApi } from '../../contract/announcements.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { announcementById, countAnnouncements, pageOfAnnouncements } from './queries.ts'

export const announcementsRoutes = new Hono<HonoEnv>()

route(announcementsRoutes, announcementsApi.lists, async ({ db }, { page }) => {
  const [rows, [counted]] = await db.batch([pageOfAnnouncements(db, page), countAnnouncements(db)])
  return { data: rows, count: counted?.total ?? 0 }
})
route(announcementsRoutes, announcementsApi.info, async ({ db }, { id }) => {
  const [row] = await announcementById(db, id)
  return { data: row ?? refuse('ANNOUNCEMENT_NOT_FOUND') }
})
