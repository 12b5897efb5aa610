import { readFileSync } from 'node:fs'
import type { Plugin, Rolldown } from 'vite'
import { inRoot } from './paths.ts'

/* Vite plugins: Chinese labels for Semi, replacement of modules, a check that modules are in the bundle, and the head of index.html. */

/** Labels for screen readers that Semi has only in English, outside its locale: module, its words, our words. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'select/index.js': { '"Use the input box to create an optional item"': '"添加输入的选项"' },
  'tag/index.js': { "'Closable '": "'可移除的'", '}Tag: $': '}标签：$' },
}

/** Replaces these labels by Chinese ones; a version of Semi without them fails the build. */
export const semiLabels: Plugin = {
  name: 'semi-labels',
  transform: {
    filter: { id: /@douyinfe\/semi-ui\/lib\/es\/(select|tag)\// },
    handler(code, id) {
      const [, module = ''] = /\/lib\/es\/([^?]+)/.exec(id) ?? []
      let translated = code
      for (const [english, chinese] of Object.entries(LABELS[module] ?? {})) {
        if (!translated.includes(english)) this.error(`${module} has no label ${english}`)
        translated = translated.replaceAll(english, () => chinese)
      }
      return { code: translated, map: null }
    },
  },
}

const toPath = (id: string): string => id.replace(/\?.*$/, '')

/** Compiles another module in place of each listed one, by its path from the root of the repository. */
function replaceModules(replaced: readonly string[], by: string): Plugin {
  const paths = new Set(replaced.map((path) => inRoot(path)))
  return {
    name: 'replace-modules',
    enforce: 'pre',
    load: (id) => (paths.has(toPath(id)) ? readFileSync(inRoot(by), 'utf8') : null),
  }
}

/** Refusals that only the server finds: their sentences come with its answers. */
export const SERVER_REFUSALS = ['worker/contract/document/errors.ts', 'worker/contract/ldap/errors.ts']

/** Leaves them out of the console. Page tests do so, too: a module that needs one while it loads fails there. */
export const noServerRefusals: Plugin = replaceModules(SERVER_REFUSALS, 'web/lib/bundle/no-server-errors.ts')

/** Fails a build that lacks a module which its rules name: such a rule would silently do nothing. */
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

/** Chunks that a visitor's first page imports once its entry runs, by their name in domain/site/outline.ts. */
const START_CHUNKS = {
  login: ['web/app/layouts/public-layout.tsx', 'web/features/login/login-page.tsx'],
  console: ['web/app/layouts/console-layout.tsx'],
} as const

type Bundle = Rolldown.OutputBundle

/** Names of a chunk and of all that it imports, without those of `known`, to which they are added. */
function withImports(bundle: Bundle, name: string, known: Set<string>): readonly string[] {
  const file = bundle[name]
  if (file?.type !== 'chunk' || known.has(name)) return []
  known.add(name)
  return [name, ...file.imports.flatMap((imported) => withImports(bundle, imported, known))]
}

/** Links that preload the chunks of one start, without those of the entry, which Vite has linked. */
function startLinks(bundle: Bundle, entry: string, start: keyof typeof START_CHUNKS): readonly string[] {
  const known = new Set<string>()
  withImports(bundle, entry, known)
  return START_CHUNKS[start].flatMap((path) => {
    const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === inRoot(path))
    if (chunk === undefined) throw new Error(`No chunk of ${path} is built`)
    return withImports(bundle, chunk.fileName, known).map(
      (name) => `    <link rel="modulepreload" crossorigin href="/${name}" data-start="${start}">\n`,
    )
  })
}

const SHEET = /<link rel="stylesheet"( crossorigin href="[^"]+")>/g

/**
 * Preloads these chunks beside the entry; of them the Worker leaves each page its own. Style sheets of the entry wait without
 * a medium until web/app/start-styles.ts applies them: a browser paints nothing, not even the outline, before one that counts.
 */
export const pageStart: Plugin = {
  name: 'page-start',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, chunk, path }) {
      if (path !== '/index.html') return html // the page of software members has one chunk
      const links = (['login', 'console'] as const).flatMap((start) => startLinks(bundle, chunk?.fileName ?? '', start))
      return html
        .replace(SHEET, '<link rel="preload" as="style"$1>\n    <link rel="stylesheet"$1 media="not all">')
        .replace('  </head>', `${links.join('')}  </head>`)
    },
  },
}
