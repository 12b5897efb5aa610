import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Input } from '#contract/kernel/endpoint.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { handbookOps } from '#contract/ops/endpoints/handbook.ts'
import type { Call } from './api.ts'
import { inRoot } from './paths.ts'

/* Reads a folder with a handbook (chapters, articles, images), and imports it into the product. */

export const HANDBOOK_FOLDER = inRoot('infra', 'docs', 'handbook')

const IMAGES = 'images'
/** File with the name of a chapter; every other file of its folder is an article. */
const CHAPTER_FILE = 'index.md'

type Import = Input<typeof handbookOps.importHandbook>

/**
 * Reads a handbook: `images` with folders of its own, and a folder for each chapter with `index.md` and articles; all have `title` and `order`. By
 * the digest of all files an unchanged folder is not imported again.
 */
export function readHandbook(folder: string) {
  const hash = createHash('sha256').update(String(HANDBOOK.format))
  const read = (...path: string[]): Buffer<ArrayBuffer> => {
    const bytes = readFileSync(join(folder, ...path))
    hash.update(`\n${path.join('/')} ${bytes.length}\n`).update(bytes)
    return bytes
  }
  const list = (end: string, path: string) =>
    readdirSync(join(folder, path), { recursive: path === IMAGES, encoding: 'utf8' })
      .filter((name) => name.endsWith(end))
      .toSorted()

  const chapters = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== IMAGES)
    .map(({ name: id }) => id)
    .toSorted()
    .map((id) => {
      const { title, order } = parsePage(`${id}/${CHAPTER_FILE}`, read(id, CHAPTER_FILE))
      const articles = list('.md', id)
        .filter((name) => name !== CHAPTER_FILE)
        .map((name) => {
          const path = `${id}/${name}`
          const { order, ...page } = parsePage(path, read(id, name))
          return { order, item: { id: basename(name, '.md'), path, ...page } }
        })
      return { order, item: { id, title, articles: inOrder(articles) } }
    })
  const images = list('.png', IMAGES).map((name) => ({ path: `${IMAGES}/${name}`, bytes: read(IMAGES, name) }))
  return { chapters: inOrder(chapters), images, digest: hash.digest('hex') }
}

const inOrder = <T>(items: readonly { readonly order: number; readonly item: T }[]): T[] =>
  items.toSorted((a, b) => a.order - b.order).map(({ item }) => item)

function parsePage(path: string, bytes: Buffer): { title: string; order: number; markdown: string } {
  const [, head = '', markdown = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(bytes.toString('utf8')) ?? []
  const field = (name: string) => new RegExp(`^${name}: *(.+)$`, 'm').exec(head)?.[1]?.trim() ?? ''
  const [title, order] = [field('title'), Number(field('order') || Number.NaN)]
  if (title === '' || Number.isNaN(order)) throw new Error(`${path}: its front matter needs title and order`)
  return { title, order, markdown: markdown.trim() }
}

/** Imports a folder unless it is shown already. Images go first, so that a refused import changes no article. */
export async function importHandbook(folder: string, ops: Call): Promise<string> {
  const { digest, chapters, images } = readHandbook(folder)
  const shown = await ops(handbookOps.handbookStatus, {})
  if (shown.digest === digest) return 'unchanged'
  const stored: Import['images'] = []
  for (const { path, bytes } of images) {
    const file = new File([bytes], basename(path), { type: 'image/png' })
    stored.push({ path, ...toSize(path, bytes), ...(await ops(handbookOps.uploadHandbookImage, { file })) })
  }
  await ops(handbookOps.importHandbook, { digest, chapters, images: stored })
  return `${chapters.flatMap(({ articles }) => articles).length} articles, ${images.length} images`
}

const PNG_HEAD = '89504e470d0a1a0a'

/** Width and height from the first chunk of a PNG. */
function toSize(path: string, bytes: Buffer): { width: number; height: number } {
  if (bytes.subarray(0, 8).toString('hex') !== PNG_HEAD) throw new Error(`${path}: not a PNG`)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
