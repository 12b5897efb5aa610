import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version: string; resolved?: string }>
}
const listVersions = (name: string) =>
  Object.entries(lock.packages)
    .filter(([path]) => path.endsWith(`node_modules/${name}`))
    .map(([, { version }]) => version)

it('one workerd serves wrangler, miniflare and the tests', () => {
  expect(listVersions('workerd')).toHaveLength(1)
})

it('the compatibility date is not later than that workerd', () => {
  const [version = ''] = listVersions('workerd')
  const built = /^1\.(\d{4})(\d\d)(\d\d)\./.exec(version)?.slice(1).join('-') ?? ''
  const date = /compatibility_date = "([\d-]+)"/.exec(readFileSync('wrangler.toml', 'utf8'))?.[1] ?? '9999'
  expect(date <= built, `${date} <= ${built}`).toBe(true)
})

it('the lock file names no registry host', () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

it('xlsx is the maintained SheetJS build, not the npm package with two CVEs', () => {
  const { name, version } = lock.packages['node_modules/xlsx'] as { name?: string; version: string }
  expect(`${name}@${version}`).toBe('@e965/xlsx@0.20.3')
})

const packages = Object.entries(lock.packages).filter(([path]) => path !== '') as [
  string,
  { version: string; integrity?: string; hasInstallScript?: boolean },
][]

it('every package is locked with its integrity', () => {
  expect(packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
})

it('the Node that runs everything is a locked package: nothing that an install script downloads', () => {
  const binaries = packages.filter(([path]) => /^node_modules\/node-(linux|darwin|bin)/.test(path))
  expect(binaries.map(([path]) => path)).toContain(`node_modules/node-${process.platform}-${process.arch}`)
  expect(new Set(binaries.map(([, { version }]) => `v${version}`))).toEqual(new Set([process.version]))
  expect(
    packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path.split('/').at(-1)),
  ).toEqual(['esbuild', 'workerd'])
})
