import { link, mkdir, readFile, readlink, rename, rm, symlink, writeFile, readdir } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { RouterDocument } from '../../../worker/contract/router-document.ts'
import { canonicalJson } from '../../../worker/domain/network/compile/compile.ts'
import { DEVICE_SETTING_KEYS } from '../../../worker/domain/network/device-settings.ts'
import { syncFolder } from '../store.ts'
import type { Driver } from './driver.ts'
import { renderNetwork } from './render.ts'

const CURRENT = 'current'
const ROUTER = 'router.json'

/**
 * Renders documents into a folder, without privileges: `current` points to `<content>/router.json` and one
 * `network-<number>.txt` a network. Apply replaces that symlink atomically: readers see the old set or the new one.
 */
export async function filesDriver(folder: string): Promise<Driver> {
  await mkdir(folder, { recursive: true, mode: 0o700 })

  const currentName = () => readlink(join(folder, CURRENT)).catch(() => null)
  const readText = (release: string, file: string) => readFile(join(folder, release, file), 'utf8').catch(() => null)

  /** Deletes the previous release and interrupted stages; runs after the symlink moved. */
  async function sweep(keep: string | null): Promise<void> {
    for (const name of await readdir(folder)) {
      if (name !== CURRENT && name !== keep) await rm(join(folder, name), { recursive: true, force: true })
    }
  }

  return {
    name: 'files',
    settings: DEVICE_SETTING_KEYS, // it renders whatever a document holds
    validate: async () => null,

    async stage(document) {
      const before = await currentName()
      const files = document ? render(document) : new Map<string, string>()
      const had = before ? await readdir(join(folder, before)).catch(() => []) : []
      const differing: string[] = []
      for (const name of new Set([...had, ...files.keys()])) {
        if (!before || (await readText(before, name)) !== (files.get(name) ?? null)) differing.push(name)
      }
      const changed = differing.filter((name) => name !== ROUTER).map((name) => name.replace(/^network-|\.txt$/g, ''))
      if (differing.length === 0 && (before === null) === (document === null)) return { changed, apply: async () => {} }
      const release = document ? freeName(document, before) : null
      if (release) await writeRelease(folder, release, before, files)
      return {
        changed: changed.toSorted(),
        async apply() {
          await point(folder, release)
          await sweep(release).catch(() => {}) // leftovers are deleted by the next apply
        },
      }
    },
  }
}

/** Content-addressed folder name; another one where the folder in use was tampered with. */
function freeName(document: RouterDocument, used: string | null): string {
  const name = createHash('sha256').update(canonicalJson(document)).digest('hex').slice(0, 16)
  return name === used ? `${name}-again` : name
}

async function point(folder: string, release: string | null): Promise<void> {
  const draft = join(folder, `${CURRENT}.new`)
  await rm(draft, { force: true })
  if (release) {
    await symlink(release, draft)
    await rename(draft, join(folder, CURRENT))
  } else await rm(join(folder, CURRENT), { force: true })
  await syncFolder(folder)
}

function render(document: RouterDocument): Map<string, string> {
  return new Map([
    [ROUTER, `${JSON.stringify(document, null, 2)}\n`],
    ...document.networks.map(
      (network) => [`network-${network.network_number}.txt`, renderNetwork(document.router_name, network)] as const,
    ),
  ])
}

/** Writes the whole folder before the symlink moves. Unchanged files are hard-linked. */
async function writeRelease(
  folder: string,
  release: string,
  before: string | null,
  files: Map<string, string>,
): Promise<void> {
  const path = join(folder, release)
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { mode: 0o700 })
  for (const [name, text] of files) {
    const old = before ? join(folder, before, name) : null
    const same = old !== null && (await readFile(old, 'utf8').catch(() => null)) === text
    if (same) await link(old, join(path, name))
    else await writeFile(join(path, name), text, { mode: 0o600, flush: true })
  }
  await syncFolder(path)
}
