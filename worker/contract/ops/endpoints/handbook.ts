import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { time } from '#contract/kernel/fields.ts'
import { charactersOf } from '#contract/kernel/input/input-sentence.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { EXAMPLE_IMAGE, IMAGE_RULE, uploadedFile } from '#contract/kernel/uploads.ts'

/* Operator's endpoints of the handbook: import and images. */

const id = z
  .string()
  .max(HANDBOOK.idMax)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, charactersOf(/[a-z0-9-]/, '文件名只能由小写字母、数字和连字符组成'))
const title = z.string().trim().min(1).max(HANDBOOK.titleMax)
/** Path relative to the folder, by which links between articles are resolved. */
const path = z.string().min(1).max(HANDBOOK.pathMax)
const digest = z.string().regex(/^[0-9a-f]{64}$/, '校验值格式不正确')
const key = z.string().regex(/^[0-9a-f]{64}\.png$/, '文件编号格式不正确')
const pixels = z.int().positive().max(10_000)

const article = z.object({ id, path, title, markdown: z.string().trim().min(1).max(HANDBOOK.markdownMax) })
const chapter = z.object({ id, title, articles: z.array(article).min(1).max(HANDBOOK.articlesMax) })
const image = z.object({ path, key, width: pixels, height: pixels })

export const handbookOps = {
  handbookStatus: read('handbook/status', 'operator:read', {
    summary: 'The handbook that is shown: digest of its folder, number of articles, when it was imported',
    output: z.object({ digest: z.string(), articles: z.int(), import_time: time.nullable() }),
  }),
  uploadHandbookImage: write('handbook/upload_image', 'operator:admin', {
    body: 'multipart',
    summary: 'Store an image under the hash of its bytes; an import names it',
    input: z.object({ file: uploadedFile({ ...IMAGE_RULE, maxBytes: HANDBOOK.imageMaxBytes }) }),
    output: z.object({ key: z.string() }),
    example: { file: EXAMPLE_IMAGE },
  }),
  importHandbook: write('handbook/import', 'operator:admin', {
    summary: 'Replace the handbook; on the command line: handbook import <folder>',
    maxBytes: HANDBOOK.importMaxBytes,
    input: z.object({
      digest,
      chapters: z.array(chapter).min(1).max(HANDBOOK.chaptersMax),
      images: z.array(image).max(HANDBOOK.imagesMax),
    }),
    done: 'saved',
    example: {
      digest: '0'.repeat(64),
      chapters: [
        {
          id: 'start',
          title: '快速入门',
          articles: [
            { id: 'welcome', path: 'start/welcome.md', title: '认识控制台', markdown: '## 概览\n\n从这里开始。' },
          ],
        },
      ],
      images: [],
    },
  }),
} as const
