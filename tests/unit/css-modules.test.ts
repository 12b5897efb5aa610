import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { expect, it } from 'vitest'

const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).map((file) => join('web', file))

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
  for (const file of files.filter((name) => name.endsWith('.tsx'))) {
    const source = readFileSync(file, 'utf8')
    for (const [, name, path] of source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
      const module = join(dirname(file), path ?? '')
      const classes = used.get(module) ?? new Set()
      for (const match of source.matchAll(new RegExp(`(?<![/\\w])${name}\\.(\\w+)`, 'g'))) classes.add(match[1] ?? '')
      used.set(module, classes)
    }
  }
  return used
}

it('CSS Modules define every class that is used, and no other', () => {
  const used = usedClasses()
  const offenders = files
    .filter((file) => file.endsWith('.module.css'))
    .flatMap((module) => {
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
  const offenders = files
    .filter((file) => file.startsWith(join('web', 'features')) && /\.tsx?$/.test(file))
    .flatMap((file) => {
      const feature = file.split(sep).slice(0, 3).join(sep) + sep
      const imports = [...readFileSync(file, 'utf8').matchAll(/'(\.[^']+\.css)(?:\?inline)?'/g)]
      return imports
        .map((match) => join(dirname(file), match[1] ?? ''))
        .filter((target) => !target.startsWith(feature))
        .map((target) => `${file} imports ${target}`)
    })
  expect(offenders).toEqual([])
})
