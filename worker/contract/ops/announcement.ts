import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

export const announcementOps = {
  publishAnnouncement: endpoint({
    method: 'POST',
    path: 'announcement/publish',
    access: 'operator',
    summary: 'Publish an announcement to every account',
    input: z.object({
      title: z.string().trim().min(1).max(80),
      tag: z.string().trim().max(12).default(''),
      content: z.string().trim().min(1).max(50_000),
    }),
    output: z.object({ id: z.int() }),
    example: { title: '维护通知', content: '今晚维护。' },
  }),
} as const
