import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/* Licences of bundled packages: vite plugins that write them beside the console and into the agent. */

export type LicenseEntry = ReturnType<typeof readEntry>

/** Folder of the package that a module belongs to: the innermost node_modules counts. */
const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//
const LICENSE_FILE = /^(licen[cs]e|copying)(\.|-|$)/i

/** Packages that these modules come from, by name. */
export function collectLicenses(moduleIds: readonly string[]): LicenseEntry[] {
  const folders = new Set(moduleIds.flatMap((id) => PACKAGE.exec(id.replace(/^\0/, ''))?.[1] ?? []))
  const entries = [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).map(readEntry)
  const unique = new Map(entries.map((entry) => [`${entry.name}@${entry.version}`, entry]))
  return [...unique.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

function readEntry(folder: string) {
  const { name, version, license, licenses, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string; licenses?: { type: string }[]; homepage?: string }
  const file = readdirSync(folder).find((entry) => LICENSE_FILE.test(entry))
  return {
    name,
    version,
    license: license ?? licenses?.map(({ type }) => type).join(' OR ') ?? '',
    home: homepage?.startsWith('https://') ? homepage : null,
    /** Licence text of the package, as its terms require; null if there is none. */
    text: file === undefined ? null : readFileSync(join(folder, file), 'utf8').trim(),
  }
}

/** Writes licenses.json beside the bundle, with the packages that reach the browser, for the page /licenses. */
export const licenses: Plugin = {
  name: 'licenses',
  apply: 'build',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []))
    this.emitFile({ type: 'asset', fileName: 'licenses.json', source: JSON.stringify(collectLicenses(modules)) })
  },
}

/** Writes the licences as a comment at the end of a bundle that is distributed alone, such as the agent. */
export const licenseComment: Plugin = {
  name: 'license-comment',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      const entries = collectLicenses(Object.keys(chunk.modules))
      const texts = entries.map(({ name, version, license, text }) => `${name} ${version}\n\n${text ?? license}`)
      chunk.code += `/*!\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/\n`
    }
  },
}
