import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'
import { numeric, time } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'

/* Endpoints of announcements. */

const row = z.object({ id: z.int(), title: z.string(), tag: z.string(), release_time: time })

export const announcementsApi = {
  lists: read('announcements/lists', 'session', {
    reads: 'near',
    summary: 'Announcements of the host that was asked, newest first',
    ...list({ row }),
  }),
  info: read('announcements/info', 'session', {
    reads: 'near',
    summary: 'One announcement; content is Markdown',
    input: z.object({ id: numeric(z.int()) }),
    output: row.extend({ content: z.string() }),
    example: { id: 1 },
  }),
  image: read('announcements/image', 'public', {
    summary: 'An image of announcements; an <img> element sends no token, so its random name is the grant',
    input: z.object({ key: z.string().default('') }),
    reply: 'file',
    output: z.unknown(),
    example: { key: `${'0'.repeat(32)}.png` },
  }),
} as const
