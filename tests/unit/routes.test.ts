import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import { deviceApi } from '#contract/device/index.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { listFiles, resolveImport } from '#tests/support/source-files.ts'

// README.md, "Where to look": the way from a URL to its function.

interface Target {
  readonly url: string
  readonly path: string
  readonly noun: string
  readonly key: string
  /** File of contract/<noun>/ that must hold the definition; null where index.ts says which. */
  readonly definition: string | null
}

const toCamelCase = (text: string): string =>
  text.replaceAll(/[_/]([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toKebabCase = (text: string): string => text.replaceAll('_', '-')

const cut = (path: string): readonly [first: string, rest: string] => {
  const at = path.includes('/') ? path.indexOf('/') : path.length
  return [path.slice(0, at), path.slice(at + 1)]
}

const TARGETS: readonly Target[] = [
  ...API.map(({ path }) => {
    const [first, rest] = cut(path)
    return { url: `/api/v1/${path}`, path, noun: toKebabCase(first), key: toCamelCase(rest), definition: null }
  }),
  ...Object.entries<Endpoint>(opsApi).map(([key, { path }]) => {
    const definition = `worker/contract/ops/endpoints/${toKebabCase(cut(path)[0])}.ts`
    return { url: `/ops/v1/${path}`, path, noun: 'ops', key, definition }
  }),
  ...Object.values<Endpoint>(deviceApi).map(({ path }) => {
    return { url: `/device/v1/${path}`, path, noun: 'device', key: toCamelCase(path), definition: null }
  }),
]

const NOUNS = [...new Set(TARGETS.map(({ noun }) => noun))]

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const countLines = (text: string, line: RegExp): number => text.split('\n').filter((one) => line.test(one)).length

/** Names that a file imports, each with the file that it comes from. */
function listImported(file: string): ReadonlyMap<string, string> {
  const imports = read(file).matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)
  return new Map(
    [...imports].flatMap(([, names = '', specifier = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => [name, resolveImport(file, specifier) ?? specifier] as const),
    ),
  )
}

/** Lines of index.ts that name an endpoint: in full, as a member of a table beside it, or as an import. */
const lineOf = (key: string): RegExp =>
  new RegExp(`^  (?:${key}: (?:read|write)\\(.*|${key}: (\\w+)\\.${key},|(${key}),)$`, 'm')

const indexOf = (noun: string): string => `worker/contract/${noun}/index.ts`

/** Body of `export const networkApi = { … } as const`. */
const readTable = (noun: string): string =>
  /^export const \w+Api = \{\n([^]*?)^\} as const$/m.exec(read(indexOf(noun)))?.[1] ?? ''

/** File that defines the endpoint, as the line of its key in index.ts says; null where there is no such line. */
function findDefinition({ noun, key }: Target): string | null {
  const index = indexOf(noun)
  const line = lineOf(key).exec(readTable(noun))
  if (line === null) return null
  const imported = line[1] ?? line[2]
  return imported === undefined ? index : (listImported(index).get(imported) ?? null)
}

function listDefinitionFaults(target: Target): readonly string[] {
  const folder = `worker/contract/${target.noun}`
  const file = findDefinition(target)
  if (file === null) return [`${folder}/index.ts has no line for ${target.key}`]
  const definition = new RegExp(`[:=] (?:read|write)\\(\\s*'${target.path}',`, 'g')
  const count = listFiles(folder, /\.ts$/)
    .map((name) => read(name).match(definition)?.length ?? 0)
    .reduce((sum, one) => sum + one, 0)
  return [
    ...(definition.test(read(file)) ? [] : [`${file} does not define ${target.path}`]),
    ...(count === 1 ? [] : [`${folder} defines ${target.path} ${count} times`]),
    ...(target.definition === null || target.definition === file ? [] : [`${file} is not ${target.definition}`]),
  ]
}

const routesOf = (noun: string): string => `worker/features/${noun}/routes.ts`

/** Lines of the handlers in the noun's mount(). */
function listMounted(noun: string): readonly string[] {
  const [, handlers = ''] = /\nmount\(\w+, \w+, \{\n([^]*?)\n\}\)\n/.exec(read(routesOf(noun))) ?? []
  return handlers.split('\n')
}

const HANDLER = /^ {2}(\w+)(?:: (\w+))?,$/

/** Function that a line of routes.ts names for the key; of a socket the function that opens it. */
function findHandlers({ noun, key }: Target): readonly string[] {
  const mounted = listMounted(noun).flatMap((line) => {
    const [, name, handler = name] = HANDLER.exec(line) ?? []
    return name === key && handler !== undefined ? [handler] : []
  })
  const sockets = read(routesOf(noun)).matchAll(new RegExp(`^mountSocket\\(${key}\\.path, (\\w+)\\)$`, 'gm'))
  return [...mounted, ...[...sockets].map(([, handler = '']) => handler)]
}

const declares = (file: string, name: string): boolean =>
  new RegExp(`^(?:export )?(?:async )?function ${name}\\b|^(?:export )?const ${name} = (?:async )?\\(`, 'm').test(
    read(file),
  )

function listHandlerFaults(target: Target): readonly string[] {
  const routes = routesOf(target.noun)
  const handlers = findHandlers(target)
  const [handler] = handlers
  if (handler === undefined || handlers.length > 1) return [`${routes} names ${handlers.length} functions`]
  const file = listImported(routes).get(handler) ?? routes
  const isFace = /^worker\/features\/[\w-]+\/service\.ts$/.test(file)
  return [
    ...(declares(file, handler) ? [] : [`${file} declares no function ${handler}`]),
    ...(file.startsWith(`worker/features/${target.noun}/`) || isFace ? [] : [`${file} is another noun’s`]),
  ]
}

it('every endpoint is found from its URL by the rule of the README', () => {
  expect(TARGETS.length).toBeGreaterThan(300)
  const offenders = TARGETS.flatMap((target) =>
    [...listDefinitionFaults(target), ...listHandlerFaults(target)].map((fault) => `${target.url}: ${fault}`),
  )
  expect(offenders).toEqual([])
})

it('a line of mount() is a key and the name of its function: no spread, arrow or call', () => {
  const offenders = NOUNS.flatMap((noun) => {
    const lines = listMounted(noun)
    const keys = TARGETS.filter((target) => target.noun === noun).map(({ key }) => key)
    const isOne = (line: string) => keys.includes(HANDLER.exec(line)?.[1] ?? '')
    return lines.filter((line) => !isOne(line)).map((line) => `${routesOf(noun)}: ${line}`)
  })
  expect(offenders).toEqual([])
})

it('each routes.ts mounts one table, and index.ts names each of its endpoints on one line', () => {
  const offenders = NOUNS.filter((noun) => countLines(read(routesOf(noun)), /^mount\(/) !== 1)
  expect(offenders).toEqual([])
  const repeated = TARGETS.filter(({ noun, key }) => countLines(readTable(noun), lineOf(key)) !== 1)
  expect(repeated.map(({ url }) => url)).toEqual([])
})

it('the key of an endpoint is the rest of its path in camelCase', async () => {
  const tables = await Promise.all(
    NOUNS.filter((noun) => noun !== 'ops' && noun !== 'device').map(async (noun) => {
      const module = (await import(join(process.cwd(), `worker/contract/${noun}/index.ts`))) as Record<string, unknown>
      const table = module[`${toCamelCase(noun.replaceAll('-', '_'))}Api`] as Readonly<Record<string, Endpoint>>
      return Object.entries(table)
    }),
  )
  expect(tables.flat().length).toBe(API.length)
  const offenders = tables.flat().filter(([key, { path }]) => key !== toCamelCase(cut(path)[1]))
  expect(offenders.map(([key, { path }]) => `${key}: ${path}`)).toEqual([])
})

it('no table of endpoints spreads another', () => {
  const files = readdirSync('worker/contract', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => listFiles(`worker/contract/${name}`, /\.ts$/))
  const tables = files.flatMap((file) =>
    [...read(file).matchAll(/^export const \w+ = \{\n([^]*?)^\}/gm)].map(([, body = '']) => ({ file, body })),
  )
  const endpoints = tables.filter(({ file, body }) => /: (read|write)\('/.test(body) || file.endsWith('/index.ts'))
  expect(endpoints.length).toBeGreaterThan(NOUNS.length)
  expect(endpoints.filter(({ body }) => /^ {2}\.\.\./m.test(body)).map(({ file }) => file)).toEqual([])
})
