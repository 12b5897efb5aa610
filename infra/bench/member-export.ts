import * as XLSX from 'xlsx'
import { EXPORT_COLUMNS } from '#domain/router/member-file.ts'
import { memoryMiB } from '#infra/local/memory.ts'
import { SIGN, createMemberFile, createMembers, sendMemberFile } from './member-file.ts'
import type { Finding } from './report.ts'
import type { WriteToken } from './sessions.ts'
import type { Stack } from './stack.ts'
import { routerApi } from '#contract/router/index.ts'

const MEMBERS = 10_000
const PER_FILE = 1_000
const AT_ONCE = 4
/** Grows the heap to what it keeps; SheetJS alone would take some 70 MiB for each download. */
const WARM_UP = 3
/** Of the 128 MiB that an isolate has; other requests need the rest. */
const GROWTH_MIB = 32
const SAMPLE_MS = 10

/** Downloads of 10,000 members at once: what is in them, and by how much the server grows. */
export async function benchMemberExport(stack: Stack, writeToken: WriteToken): Promise<readonly Finding[]> {
  const files = Array.from({ length: MEMBERS / PER_FILE }, (_, n) => createMembers(PER_FILE, n * PER_FILE))
  const sendFiles = async (spec: Parameters<typeof createMemberFile>[0]) => {
    for (const members of files)
      await sendMemberFile(stack, await writeToken(), spec, await createMemberFile(spec, members))
  }
  await sendFiles(routerApi.batch)
  const token = await writeToken()
  const download = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${stack.origin}/api/v1/${routerApi.export.path}`, { headers })
    return new Uint8Array(await response.arrayBuffer())
  }
  const downloads = () => Promise.all(Array.from({ length: AT_ONCE }, download))
  for (let n = 0; n < WARM_UP; n++) await downloads()
  const before = memoryMiB(stack.workerdPid)
  let peak = before
  const sampling = setInterval(() => (peak = Math.max(peak, memoryMiB(stack.workerdPid))), SAMPLE_MS)
  const startedAt = performance.now()
  const workbooks = await downloads()
  const took = performance.now() - startedAt
  clearInterval(sampling)
  const right = Math.min(...workbooks.map((workbook) => countRight(workbook, files.flat())))
  await sendFiles(routerApi.batchDeleteFile)
  return [
    {
      what: `rows of an export of ${MEMBERS} that are right`,
      value: right,
      unit: 'rows',
      budget: MEMBERS,
      must: 'reach',
      note: `${AT_ONCE} downloads at once in ${took.toFixed(0)} ms`,
    },
    {
      what: 'memory that they take',
      value: peak - before,
      unit: 'MiB',
      budget: GROWTH_MIB,
      must: 'stay below',
      note: `${before} MiB before, at most ${peak}`,
    },
  ]
}

/** Rows at their place with the content they should have, newest member first; -1 where there are more, or another header. */
function countRight(workbook: Uint8Array, members: ReturnType<typeof createMembers>): number {
  const { Sheets, SheetNames } = XLSX.read(workbook, { type: 'array', dense: true })
  const [header, ...rows] = XLSX.utils.sheet_to_json<string[]>(Sheets[SheetNames[0] ?? ''] ?? {}, {
    header: 1,
    defval: '',
  })
  const isHeader = JSON.stringify(header) === JSON.stringify(EXPORT_COLUMNS.map((column) => column.header))
  if (!isHeader || rows.length > members.length) return -1
  const expected = members.toReversed().map(({ name, phone, note }) => [`${name}@${SIGN}`, phone && '86', phone, note])
  return rows.filter((row, n) => JSON.stringify(row) === JSON.stringify(expected[n])).length
}
