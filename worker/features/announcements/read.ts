import type { Context } from 'hono'
import type { announcementsApi } from '#contract/announcements/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { paged } from '#db/paged.ts'
import { requireRow } from '#db/require-row.ts'
import { listedHost } from '#domain/site/brand.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { selectAnnouncement, selectAnnouncements } from './sql.ts'

/* Announcements that are shown at the host of the request: their list, and one of them. */

type Api = typeof announcementsApi

/** Host of the request; '' if it is not listed. */
const hostOf = (c: Context<HonoEnv>): string => listedHost(new URL(c.req.url).hostname) ?? ''

export const listAnnouncements = ({ db }: Ctx, page: Parsed<Api['lists']>, c: Context<HonoEnv>) =>
  paged(db, selectAnnouncements(db, hostOf(c)).$dynamic(), page)

export const readAnnouncement = ({ db }: Ctx, { id }: Parsed<Api['info']>, c: Context<HonoEnv>) =>
  requireRow(selectAnnouncement(db, id, hostOf(c)), 'ANNOUNCEMENT_NOT_FOUND')
