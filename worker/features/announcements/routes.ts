import { refuse } from '../../contract/errors.ts'
import { Hono } from 'hono'
import { announcementsApi } from '../../contract/announcements.ts'
import { paged } from '../../db/paged.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { selectAnnouncement, selectAnnouncements } from './queries.ts'

export const announcementsRoutes = new Hono<HonoEnv>()

route(announcementsRoutes, announcementsApi.lists, ({ db }, page) =>
  paged(db, selectAnnouncements(db).$dynamic(), page),
)
route(announcementsRoutes, announcementsApi.info, async ({ db }, { id }) => {
  const [row] = await selectAnnouncement(db, id)
  return { data: row ?? refuse('ANNOUNCEMENT_NOT_FOUND') }
})
