import { Hono } from 'hono'
import { announcementsApi } from '#contract/announcements/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { listAnnouncements, readAnnouncement } from './read.ts'
import { readAnnouncementImage } from './service.ts'

/* Endpoints of announcements: list, text and images. */

export const announcementsRoutes = new Hono<HonoEnv>()

mount(announcementsRoutes, announcementsApi, {
  lists: listAnnouncements,
  info: readAnnouncement,
  image: readAnnouncementImage,
})
