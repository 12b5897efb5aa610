import type { Output } from '#contract/kernel/endpoint.ts'
import { FILE_TYPES } from '#contract/file/index.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { ADD_TEMPLATE, DELETE_TEMPLATE } from '#domain/router/member-file.ts'
import type { Server } from './stack.ts'
import { routerApi } from '#contract/router/index.ts'
import { createWorkbookStream } from '#features/workbook/service.ts'

/** Suffix of the account that has them. */
export const SIGN = 'benchfiles'

export interface BenchMember {
  readonly name: string
  readonly password: string
  readonly phone: string
  readonly note: string
}

/** The members from `from` on; half of them have a phone. */
export const createMembers = (count: number, from = 0): BenchMember[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `user${from + i}`,
    password: `Weilai26x${from + i}`,
    phone: i % 2 === 0 ? String(13_800_000_000 + from + i) : '',
    note: `第${from + i}个成员`,
  }))

type Spec = typeof routerApi.batch | typeof routerApi.batchDeleteFile

/** A workbook of these members for that call. */
export async function createMemberFile(spec: Spec, members: readonly BenchMember[]): Promise<File> {
  const isAdded = spec === routerApi.batch
  const rows = members.map(({ name, password, phone, note }) => (isAdded ? [name, password, '', phone, note] : [name]))
  const stream = createWorkbookStream({ sheetName: '成员', columns: isAdded ? ADD_TEMPLATE : DELETE_TEMPLATE, rows })
  const content = new Uint8Array(await new Response(stream).arrayBuffer())
  return new File([content], 'members.xlsx', { type: FILE_TYPES.xlsx.mediaType })
}

/** Throws where a row is refused; answers the milliseconds that the call took. */
export async function sendMemberFile({ origin }: Server, token: string, spec: Spec, file: File): Promise<number> {
  const form = new FormData()
  form.set('file', file)
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/v1/${spec.path}`, { method: 'POST', headers, body: form })
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Output<Spec> }
  const took = performance.now() - startedAt
  if (code !== RESULT.ok || data.result.some(({ ok }) => ok === 0)) throw new Error(`${spec.path}: ${code} ${msg}`)
  return took
}
