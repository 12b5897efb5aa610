import { expect, it } from 'vitest'
import { listFiles, listSpecifiers, resolveImport } from '#tests/support/source-files.ts'

/** Files of a noun that other nouns may import. */
const FACES = '^worker/features/[\\w-]+/(service\\.ts$|sql\\.ts$|sql/)'
const SQL = '^worker/features/[\\w-]+/(sql\\.ts$|sql/)'
/** Allowed imports: the first match counts, `$1` is the noun's own name; an unlisted file may import nothing. */
const ALLOWED: readonly (readonly [from: RegExp, to: string])[] = [
  [/^worker\/contract\//, '^worker/contract/'],
  [/^worker\/domain\//, '^worker/(contract|domain)/|^infra/hosts\\.json$'],
  [/^worker\/(db|security)\//, '^worker/(contract|db|security)/'],
  [/^worker\/outside\/tls\//, '^worker/(contract|outside/tls)/'],
  [/^worker\/outside\//, '^worker/(contract|domain|db|security|outside)/|^\\.wrangler/public-roots\\.js$'],
  [/^worker\/http\//, '^worker/(contract|domain|db|security|http)/'],
  [/^worker\/features\/[\w-]+\/(sql\.ts$|sql\/)/, `^worker/(contract|domain|db)/|${SQL}`],
  [/^worker\/features\/([\w-]+)\//, `^worker/(contract|domain|db|security|http|outside|features/$1)/|${FACES}`],
  [/^worker\/jobs\//, '^worker/|^durable/(hubs|(hash-pool|status-hub)/client)\\.ts$'],
  [/^worker\/[\w-]+(\.d)?\.ts$/, '^(worker|durable)/'], // index, app and the types of the bindings wire everything
  [/^durable\//, `^durable/|^worker/(contract|domain|db|security|outside)/|${SQL}`],
  [/^web\/lib\//, '^web/lib/|^worker/contract/'],
  [/^web\/ui\//, '^web/(lib|ui)/|^worker/contract/'],
  [/^web\/features\/([\w-]+)\//, '^web/(lib|ui|features/$1)/|^worker/(contract|domain)/'],
  [/^web\/client\//, '^web/(client|lib/proof-of-work)/|^worker/contract/'],
  [/^web\/(app\/|[\w-]+\.tsx?$)/, '^web/|^worker/contract/'],
]

const CODE = /\.tsx?$/
const files = ['web', 'worker', 'durable'].flatMap((root) => listFiles(root, CODE))

const listImports = (file: string): readonly string[] =>
  listSpecifiers(file).flatMap((specifier) => resolveImport(file, specifier) ?? [])

/** Imports of product, tools and tests that are not as they should be. */
const offendingImports = (isOffending: (file: string, specifier: string) => boolean): readonly string[] =>
  [...files, ...listFiles('infra', CODE), ...listFiles('tests', CODE)].flatMap((file) =>
    listSpecifiers(file)
      .filter((specifier) => isOffending(file, specifier))
      .map((specifier) => `${file}: ${specifier}`),
  )

it('every import names a file that exists', () => {
  expect(offendingImports((file, specifier) => resolveImport(file, specifier) === null)).toEqual([])
})

it('an import climbs at most one folder: an alias leads further', () => {
  expect(offendingImports((_, specifier) => specifier.startsWith('../..'))).toEqual([])
})

it('every layer has files, and imports', () => {
  const withoutFiles = ALLOWED.filter(([from]) => !files.some((file) => from.test(file)))
  expect(withoutFiles).toEqual([])
  expect(files.flatMap(listImports).length).toBeGreaterThan(files.length)
})

it('a file imports only what its layer may', () => {
  const offenders = files.flatMap((file) => {
    const rule = ALLOWED.find(([from]) => from.test(file))
    const allowed = new RegExp(rule?.[1].replaceAll('$1', rule[0].exec(file)?.[1] ?? '') ?? '^$')
    return listImports(file)
      .filter((target) => !allowed.test(target))
      .map((target) => `${file} → ${target}`)
  })
  expect(offenders).toEqual([])
})

it('no folder or file has a catch-all name such as utils or parts', () => {
  const offenders = files.filter((file) => /\/(utils?|helpers?|common|types|misc|shared|parts)(\/|\.tsx?$)/.test(file))
  expect(offenders).toEqual([])
})

it('only nouns of the contract have an index', () => {
  const isIndex = (file: string) => /\/index\.tsx?$/.test(file)
  const isAllowed = (file: string) => /^worker\/(contract\/[\w-]+\/)?index\.ts$/.test(file) // wrangler.toml names worker/index.ts
  expect(files.filter((file) => isIndex(file) && !isAllowed(file))).toEqual([])
})

it('faces import each other in no circle, nor do files of hubs', () => {
  const acyclic = new RegExp(`${FACES}|^durable/`)
  const imports = new Map(files.filter((file) => acyclic.test(file)).map((file) => [file, listImports(file)]))
  const finished = new Set<string>()
  const findCircle = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return []
    for (const target of imports.get(file) ?? []) {
      const circle = findCircle(target, [...path, file])
      if (circle.length > 0) return circle
    }
    finished.add(file)
    return []
  }
  expect([...imports.keys()].map((file) => findCircle(file, [])).filter((circle) => circle.length > 0)).toEqual([])
})

it('only app.ts imports routes, and a service imports none', () => {
  const isRoutes = (file: string) => /^worker\/features\/[\w-]+\/routes\.ts$/.test(file)
  const offenders = files.filter((file) => file !== 'worker/app.ts' && listImports(file).some(isRoutes))
  expect(offenders).toEqual([])
})
