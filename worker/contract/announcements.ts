import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { numeric, time } from './fields.ts'
import { list } from './list.ts'

const row = z.object({ id: z.int(), title: z.string(), tag: z.string(), release_time: time })

export const announcementsApi = {
  lists: endpoint({
    method: 'GET',
    path: 'announcements/lists',
    access: 'session',
    summary: 'Announcements, newest first',
    ...list({ row }),
    example: {},
  }),
  info: endpoint({
    method: 'GET',
    path: 'announcements/info',
    access: 'session',
    summary: 'One announcement; content is Markdown',
    input: z.object({ id: numeric(z.int()) }),
    output: row.extend({ content: z.string() }),
    example: { id: 1 },
  }),
} as const
