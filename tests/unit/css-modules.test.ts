import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listFiles, resolveImport } from '#tests/support/source-files.ts'

const components = listFiles('web', /\.tsx$/)

/** Classes a module defines; `:global(…)` names belong to the kit. */
function definedIn(module: string): Set<string> {
  const selectors = readFileSync(module, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/url\([^)]*\)/g, '')
    .replaceAll(/:global\([^)]*\)/g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map((match) => match[1] ?? ''))
}

/** Modules with the classes that components take from them. */
function usedClasses(): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const file of components) {
    const source = readFileSync(file, 'utf8')
    for (const [, name, path] of source.matchAll(/import (\w+) from '([.#][^']+\.module\.css)'/g)) {
      const module = resolveImport(file, path ?? '') ?? ''
      const classes = used.get(module) ?? new Set()
      for (const match of source.matchAll(new RegExp(`(?<![/\\w])${name}\\.(\\w+)`, 'g'))) classes.add(match[1] ?? '')
      used.set(module, classes)
    }
  }
  return used
}

it('CSS Modules define every class that is used, and no other', () => {
  const used = usedClasses()
  const offenders = listFiles('web', /\.module\.css$/).flatMap((module) => {
    const defined = definedIn(module)
    const taken = used.get(module) ?? new Set()
    return [
      ...[...taken].filter((name) => !defined.has(name)).map((name) => `${module} lacks .${name}`),
      ...[...defined].filter((name) => !taken.has(name)).map((name) => `${module} has .${name} that nobody uses`),
    ]
  })
  expect(used.size).toBeGreaterThan(0)
  expect(offenders).toEqual([])
})

it('a feature imports stylesheets of its own only', () => {
  const imports = listFiles('web/features', /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'([.#][^']+\.css(?:\?inline)?)'/g)].map(([, specifier = '']) => ({
      file,
      feature: file.split('/').slice(0, 3).join('/'),
      target: resolveImport(file, specifier) ?? specifier,
    })),
  )
  expect(imports.length).toBeGreaterThan(0)
  expect(
    imports
      .filter(({ feature, target }) => !target.startsWith(`${feature}/`))
      .map(({ file, target }) => `${file} imports ${target}`),
  ).toEqual([])
})
