import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { inRoot } from './paths.ts'

const toPath = (id: string): string => id.replace(/\?.*$/, '')

/** Compiles another module in place of each that is listed, by path from the repository's root. */
export function replaceModules(replaced: readonly string[], by: string): Plugin {
  const paths = new Set(replaced.map((path) => inRoot(path)))
  return {
    name: 'replace-modules',
    enforce: 'pre',
    load: (id) => (paths.has(toPath(id)) ? readFileSync(inRoot(by), 'utf8') : null),
  }
}

/** Fails a build without one of the modules that its rules name: such a rule would silently do nothing. */
export const requireModules = (paths: readonly string[]): Plugin => ({
  name: 'require-modules',
  apply: 'build',
  buildEnd(failure) {
    if (failure) return
    const built = new Set([...this.getModuleIds()].map(toPath))
    const missing = paths.filter((path) => !built.has(inRoot(path)))
    if (missing.length > 0)
      this.error(`A rule of vite.config.ts names modules that are not built: ${missing.join(', ')}`)
  },
})
