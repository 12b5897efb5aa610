import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { collectLicenses } from '#infra/local/licenses.ts'

const module = (path: string) => resolve('node_modules', path)

it('names each package once that a module of the bundle comes from, with its licence', () => {
  const found = collectLicenses([
    module('react/index.js'),
    module('react/cjs/react.production.min.js'),
    `\0${module('@antv/x6/es/index.js')}`,
    resolve('web/main.tsx'),
    '\0vite/preload-helper.js',
  ])
  expect(found.map(({ name, license }) => [name, license])).toEqual([
    ['@antv/x6', 'MIT'],
    ['react', 'MIT'],
  ])
  expect(found[1]?.text).toContain('Permission is hereby granted')
})

it('follows a nested package to its own folder', () => {
  expect(collectLicenses([module('none/node_modules/react/index.js')])).toEqual([])
})
