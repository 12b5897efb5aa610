import * as z from 'zod'
import { write, read } from '#contract/kernel/endpoint.ts'
import { displayText, dottedString, prose, time } from '#contract/kernel/fields.ts'
import { EXAMPLE_IMAGE, IMAGE_RULE, uploadedFile } from '#contract/kernel/uploads.ts'

/* Operator's endpoints of announcements. */

const id = z.int().positive()
const title = displayText.min(1).max(80)
const tag = displayText.max(12)
/** Markdown. Images come from `announcement/upload_image`: pages load none from other hosts. */
const content = prose.min(1).max(50_000)
/** Hosts of infra/hosts.json that show it; empty for all hosts, also unlisted ones. */
const hosts = z.array(dottedString().toLowerCase().min(1).max(253)).max(50)

export const announcementOps = {
  publishAnnouncement: write('announcement/publish', 'operator:admin', {
    summary: 'Publish an announcement to every account, or on some hosts',
    input: z.object({ title, tag: tag.default(''), content, hosts: hosts.default([]) }),
    output: z.object({ id: z.int() }),
    example: { title: '维护通知', content: '今晚维护。' },
  }),
  listAnnouncements: read('announcement/lists', 'operator:read', {
    summary: 'The newest announcements of all hosts, with their ids',
    output: z.array(
      z.object({ id: z.int(), title: z.string(), tag: z.string(), hosts: z.array(z.string()), release_time: time }),
    ),
  }),
  editAnnouncement: write('announcement/edit', 'operator:admin', {
    summary: 'Change an announcement; what is left out stays, its release time too',
    input: z.object({
      id,
      title: title.optional(),
      tag: tag.optional(),
      content: content.optional(),
      hosts: hosts.optional(),
    }),
    done: 'changed',
    example: { id: 1, title: '维护通知（已延期）' },
  }),
  withdrawAnnouncement: write('announcement/withdraw', 'operator:admin', {
    summary: 'Take an announcement back',
    input: z.object({ id }),
    done: 'deleted',
    example: { id: 1 },
  }),
  uploadAnnouncementImage: write('announcement/upload_image', 'operator:admin', {
    body: 'multipart',
    summary: 'Store an image; the answer is its address for ![](…) in an announcement',
    input: z.object({ file: uploadedFile(IMAGE_RULE) }),
    output: z.object({ src: z.string() }),
    example: { file: EXAMPLE_IMAGE },
  }),
} as const
