import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { listFiles } from '../source-files.ts'

/** Texts of the tests below a folder. */
export const readTests = (folder: string): readonly string[] =>
  listFiles(folder, /\.test\.tsx?$/).map((file) => readFileSync(file, 'utf8'))

const OPS = 'worker/contract/ops/index.ts' // its paths are another server's
const modules = listFiles('worker/contract', /\/index\.ts$/)
  .filter((file) => file !== OPS)
  .map((file) => import(/* @vite-ignore */ resolve(file)) as Promise<Record<string, object>>)

/** `POST account/edit_phone` → `accountApi.editPhone`. */
const CODE_NAMES = new Map<string, string>(
  (await Promise.all(modules))
    .flatMap((module) => Object.entries(module).filter(([name]) => name.endsWith('Api')))
    .flatMap(([api, calls]) =>
      Object.entries(calls as Record<string, Endpoint>).map(
        ([key, { method, path }]) => [`${method} ${path}`, `${api}.${key}`] as const,
      ),
    ),
)

export function isCalled(sources: readonly string[], call: string): boolean {
  const name = CODE_NAMES.get(call)
  return name !== undefined && sources.some((source) => new RegExp(`\\b${name}\\b`).test(source))
}

const HAN = /\p{Script=Han}/u

/** A literal part stands there by itself, as 下线 does not in 强制下线. */
const hasPart = (source: string, part: string): boolean =>
  source
    .split(part)
    .some((after, n, pieces) => n > 0 && !HAN.test(pieces[n - 1]!.slice(-1)) && !HAN.test(after.slice(0, 1)))

/** One source has all literal parts of a sentence with blanks. */
export function isWrittenIn(sources: readonly string[], text: string): boolean {
  const parts = text.split(/\{\w+\}/).filter((part) => part !== '')
  return sources.some((source) => parts.every((part) => hasPart(source, part)))
}

/** A file in tests/ has a test or a group of that title, as the first argument of a call. */
export const hasTitle = (file: string, title: string): boolean =>
  readFileSync(join('tests', file), 'utf8')
    .replaceAll(/\(\s+'/g, "('")
    .includes(`('${title}'`)
