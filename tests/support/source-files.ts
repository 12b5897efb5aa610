import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Files below a folder whose names match; throws where there is none, because a test over nothing passes. */
export function listFiles(folder: string, name: RegExp): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => join(folder, file))
    .toSorted()
  if (files.length === 0) throw new Error(`${folder} has no file like ${name}`)
  return files
}

const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Readonly<Record<string, string>> }

/** Imports of a file as written, static and dynamic, but those of packages. */
export const listSpecifiers = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import\(?)\s*'([.#][^']*)'/g)].map(([, found = '']) => found)

/** Path from the repository's root that an import of a file names; null where no such file exists. */
export function resolveImport(file: string, specifier: string): string | null {
  const [name = ''] = specifier.split('?')
  const path = name.startsWith('#') ? toImportsTarget(name) : join(dirname(file), name)
  return path !== null && existsSync(path) ? normalize(path) : null
}

function toImportsTarget(name: string): string | null {
  const exact = imports[name]
  if (exact !== undefined) return exact
  const key = Object.keys(imports).find((pattern) => pattern.endsWith('/*') && name.startsWith(pattern.slice(0, -1)))
  return key === undefined ? null : (imports[key]?.replace('*', name.slice(key.length - 1)) ?? null)
}
