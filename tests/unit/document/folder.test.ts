import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HANDBOOK_FOLDER, readHandbook } from '#infra/local/handbook.ts'
import { handbookOps } from '#contract/ops/endpoints/handbook.ts'
import { renderHandbook } from '#domain/document/handbook.ts'
import { listFiles } from '#tests/support/source-files.ts'

const { digest, chapters, images } = readHandbook(HANDBOOK_FOLDER)
const stored = images.map(({ path }) => ({ path, key: `${'0'.repeat(64)}.png`, width: 1, height: 1 }))
const articles = chapters.flatMap((chapter) => chapter.articles)
const rendered = renderHandbook({ chapters, images: stored })
const KB = 1_000

describe('the handbook of the product', () => {
  it('is taken by an import: its links, headings and screenshots exist', () => {
    expect(rendered).toBeInstanceOf(Map)
    expect(handbookOps.importHandbook.input.safeParse({ digest, chapters, images: stored }).error).toBeUndefined()
  })

  it('has at least 20 articles with text', () => {
    expect(articles.length).toBeGreaterThanOrEqual(20)
    const short = articles.filter(({ markdown }) => markdown.length < 250).map(({ path }) => path)
    expect(short).toEqual([])
  })

  it('shows every screenshot that it has', () => {
    const text = articles.map(({ markdown }) => markdown).join('\n')
    expect(images.filter(({ path }) => !text.includes(`../${path})`)).map(({ path }) => path)).toEqual([])
    expect(images.length).toBeGreaterThanOrEqual(15)
  })

  it('has small screenshots', () => {
    expect(images.filter(({ bytes }) => bytes.length > 120 * KB).map(({ path }) => path)).toEqual([])
    expect(images.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(3_000 * KB)
  })

  it('has no file that is neither article nor screenshot', () => {
    const files = readdirSync(HANDBOOK_FOLDER, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    expect(files.filter((file) => !/\/[a-z0-9-]+\.md$|\/images\/[a-z0-9-]+\/[a-z0-9-]+\.png$/.test(file))).toEqual([])
  })
})

/** Quotation marks enclose labels of the console or of the demo; labels of other products are bold. */
describe('labels of the console in the articles', () => {
  const sources = ['web', 'worker', 'durable', 'infra/demo']
    .flatMap((folder) =>
      listFiles(folder, /\.tsx?$/)
        .filter((file) => !file.startsWith('web/features/local/')) // samples of the kit
        .map((file) => readFileSync(file, 'utf8')),
    )
    .join('\n')
  const quoted = articles.flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/“([^”]{2,20})”/g)].map(([, label = '']) => ({ path, label })),
  )

  it('exist in the product', () => {
    const known = (label: string) => label.split(/ → |…|N/).every((part) => sources.includes(part.trim()))
    expect(quoted.filter(({ label }) => !known(label))).toEqual([])
  })
})
