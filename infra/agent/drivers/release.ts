import { link, mkdir, readFile, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { syncFolder } from '../store.ts'

/* Releases of rendered files in a folder: reading, writing, and the atomic switch of the `current` symlink. */

/** Texts of files by path. */
export type Files = ReadonlyMap<string, string>

const CURRENT = 'current'

/** Name of the release that `current` points to. */
export const currentRelease = (folder: string): Promise<string | null> =>
  readlink(join(folder, CURRENT)).catch(() => null)

/** Readable files of a release; a missing folder has none. */
export async function readRelease(folder: string, release: string): Promise<Files> {
  const root = join(folder, release)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.map(async (path) => [relative(root, path), await readFile(path, 'utf8').catch(() => '')] as const),
  )
  return new Map(texts)
}

/** Writes the whole folder before the symlink moves. Files that are the same in the release `before` are hard-linked. */
export async function writeRelease(
  folder: string,
  release: string,
  files: Files,
  before: string | null,
  old: Files,
): Promise<void> {
  const root = join(folder, release)
  await rm(root, { recursive: true, force: true })
  const folders = new Set([root, ...[...files.keys()].flatMap((path) => listParents(join(root, path), root))])
  for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 })
  for (const [path, text] of files) {
    if (before !== null && old.get(path) === text) await link(join(folder, before, path), join(root, path))
    else await writeFile(join(root, path), text, { mode: 0o600, flush: true })
  }
  for (const path of folders) await syncFolder(path)
}

function listParents(path: string, root: string): string[] {
  const parent = dirname(path)
  return parent === root ? [] : [...listParents(parent, root), parent]
}

/** Atomic: readers see the old release or the new one; null removes `current`. */
export async function pointTo(folder: string, release: string | null): Promise<void> {
  const draft = join(folder, `${CURRENT}.new`)
  await rm(draft, { force: true })
  if (release) {
    await symlink(release, draft)
    await rename(draft, join(folder, CURRENT))
  } else await rm(join(folder, CURRENT), { force: true })
  await syncFolder(folder)
}

/** Deletes the previous release and interrupted stages; runs after the symlink moved. */
export async function sweep(folder: string, keep: string | null): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== CURRENT && name !== keep) await rm(join(folder, name), { recursive: true, force: true })
  }
}
