import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'
import { displayText, time } from '#contract/kernel/fields.ts'
import { HANDBOOK } from './limits.ts'

/* Endpoints of the handbook: chapters, articles, search. */

/** Types of handbook entries: chapters hold articles (directory 3). */
export const DOCUMENT_TYPE = { chapter: 1, article: 2 } as const

const id = z.string().max(HANDBOOK.idMax).default('') // a missing or malformed id is treated as an unknown article
const neighbor = z.object({ id: z.string(), title: z.string() }).nullable()
const article = z.object({ id: z.string(), fid: z.string(), title: z.string(), type: z.literal(DOCUMENT_TYPE.article) })
const chapter = article.extend({
  type: z.literal(DOCUMENT_TYPE.chapter),
  children: z.array(article.extend({ children: z.array(z.unknown()) })),
})

/** Calls of the handbook. Hosts without a handbook answer as for an unknown path. */
export const documentApi = {
  menu: read('document/menu', 'public', {
    summary: 'Chapters of the handbook with their articles, in reading order',
    output: z.array(chapter),
  }),
  info: read('document/info', 'public', {
    summary: 'One article; content is HTML made from Markdown, to be sanitised once more by whoever shows it',
    input: z.object({ id }),
    output: z.object({
      id: z.string(),
      title: z.string(),
      chapter: z.string(),
      content: z.string(),
      /** Headings, with the ids of their elements; level 2 and 3. */
      toc: z.array(z.object({ id: z.string(), title: z.string(), level: z.int() })),
      before_doc: neighbor,
      after_doc: neighbor,
      update_time: time,
    }),
    example: { id: 'welcome' },
  }),
  search: read('document/search', 'public', {
    summary: 'Articles with all the words, best first; the extract is plain text around the first one found',
    input: z.object({ q: displayText.max(HANDBOOK.queryMax).default('') }),
    output: z.array(z.object({ id: z.string(), title: z.string(), chapter: z.string(), extract: z.string() })),
    example: { q: '组网' },
  }),
  image: read('document/image', 'public', {
    summary: 'An image of the handbook',
    input: z.object({ key: z.string().default('') }),
    reply: 'file',
    output: z.unknown(),
    example: { key: `${'0'.repeat(64)}.png` },
  }),
} as const
