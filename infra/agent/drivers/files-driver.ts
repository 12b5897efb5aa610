import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { canonicalJson } from '#domain/network/compile/compile.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import type { Driver } from './driver.ts'
import { type Files, currentRelease, pointTo, readRelease, sweep, writeRelease } from './release.ts'
import { renderBandwidth } from './render/bandwidth.ts'
import { checkTunnels } from './render/check-tunnels.ts'
import { renderDocument } from './render/render.ts'
import { assignSlots, readSlots, writeSlots } from './render/slots.ts'
import { NO_TARGET, type Target } from './render/target.ts'
import { hasTunnels } from './render/tunnels.ts'

const ROUTER = 'router.json'
const SLOTS = 'slots.json'

/**
 * Driver that renders documents into a folder, without privileges: `current` points to a release of `router.json`, a text
 * of each network for people, and the configuration of the tools that carry it. Apply replaces that symlink atomically.
 *
 * @param readTarget reads facts of the device that the files depend on, for each document.
 */
export async function filesDriver(
  folder: string,
  readTarget: () => Promise<Target> = async () => NO_TARGET,
): Promise<Driver> {
  await mkdir(folder, { recursive: true, mode: 0o700 })

  return {
    name: 'files',
    settings: DEVICE_SETTING_KEYS, // it renders whatever a document holds
    validate: async (document) => checkTunnels(document, await readTarget()),

    async stage(document) {
      const before = await currentRelease(folder)
      const old: Files = before ? await readRelease(folder, before) : new Map()
      const files: Files = render(document, old, await readTarget())
      const differing = [...new Set([...old.keys(), ...files.keys()])].filter(
        (path) => old.get(path) !== files.get(path),
      )
      if (differing.length === 0 && (before === null) === (files.size === 0))
        return { changed: [], apply: async () => {} }
      const release = files.size > 0 ? freeName(document, before) : null
      if (release) await writeRelease(folder, release, files, before, old)
      return {
        changed: changedNetworks(differing, readDocument(old), document),
        async apply() {
          await pointTo(folder, release)
          await sweep(folder, release).catch(() => {}) // leftovers are deleted by the next apply
        },
      }
    },
  }
}

/** Files of a document; without a document at most the file that removes a limit from the device. */
function render(document: RouterDocument | null, old: Files, target: Target): Files {
  if (!document) return new Map(renderBandwidth(null, target, old))
  const slots = assignSlots(document, readSlots(old.get(SLOTS) ?? null))
  return new Map([
    [ROUTER, `${JSON.stringify(document, null, 2)}\n`],
    ...(hasTunnels(document) ? [[SLOTS, writeSlots(slots)] as const] : []),
    ...renderDocument(document, slots, target, old),
  ])
}

/** Content-addressed folder name; another one if the folder in use was tampered with. */
function freeName(document: RouterDocument | null, used: string | null): string {
  const name = createHash('sha256').update(canonicalJson(document)).digest('hex').slice(0, 16)
  return name === used ? `${name}-again` : name
}

function readDocument(files: Files): RouterDocument | null {
  try {
    return routerDocument.parse(JSON.parse(files.get(ROUTER) ?? ''))
  } catch {
    return null
  }
}

/** Networks whose part of the document or own text differs; all networks if only shared files differ. */
function changedNetworks(
  differing: readonly string[],
  before: RouterDocument | null,
  after: RouterDocument | null,
): string[] {
  const [old, next] = [listNetworkTexts(before), listNetworkTexts(after)]
  const numbers = [...new Set([...old.keys(), ...next.keys()])]
  const texts = differing.flatMap((path) => /^network-(.+)\.txt$/.exec(path)?.[1] ?? [])
  const changed = [...new Set([...numbers.filter((number) => old.get(number) !== next.get(number)), ...texts])]
  return (changed.length > 0 ? changed : numbers).toSorted()
}

/** Canonical JSON of each network of a document, by its number. */
export const listNetworkTexts = (document: RouterDocument | null): ReadonlyMap<string, string> =>
  new Map(document?.networks.map((network) => [network.network_number, canonicalJson(network)]))
