import { setTimeout as sleep } from 'node:timers/promises'
import { FILE_TYPES } from '#contract/file/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ADD_TEMPLATE, DELETE_TEMPLATE } from '#domain/router/member-file-columns.ts'
import { createWorkbookStream } from '#features/workbook/service.ts'
import { createAccount, openConsole } from './account.ts'
import { readDatabase } from './read-database.ts'
import { type Finding, inRounds, median, p99, print, timed } from './report.ts'
import type { Stack } from './stack.ts'

/* Bench of imports: files of 1,000 software members; the time of their answers, and the wait of another account. */

const ROWS = 1_000
const CALL_EVERY_MS = 20
const CALM_MS = 4_000
const BUDGET = { answerMs: 5_000, listMs: 100 } as const
const ACCOUNT = { username: 'members01', password: 'Members2026', sign: 'benchfiles' }
/** Time in which a run of the hashing job saves at least once. */
const SAVED_MS = 4_000
/** Number of looks without a new hash after which a run counts as over. */
const QUIET_LOOKS = 2

export async function benchMembers(stack: Stack): Promise<readonly Finding[]> {
  await createAccount(stack, ACCOUNT, { software_member: ROWS })
  const call = openConsole(stack, ACCOUNT.username)
  const files = { added: await createFile('added'), deleted: await createFile('deleted') }
  const send = async (kind: keyof typeof files): Promise<number> => {
    const spec = kind === 'added' ? routerApi.batch : routerApi.batchDeleteFile
    const { result: answer, ms } = await timed(() => call(spec, { file: files[kind] }))
    if (answer.result.some(({ ok }) => ok === 0)) throw new Error(`${spec.path}: a row was refused`)
    return ms
  }
  await send('added')
  await hashingPaused(stack)
  const other = openConsole(stack, 'demo01')
  await other(routerApi.lists, { page: 1 })
  const list = async () => (await timed(() => other(routerApi.lists, { page: 1 }))).ms
  const calm = await callEvenly(list, sleep(CALM_MS))
  const rounds = await inRounds(async () => [
    ...(await measureFile('deleted', send('deleted'), list)),
    ...(await measureFile('added', send('added'), list)),
  ])
  await send('deleted')
  const note = `${calm.length} calls, median ${median(calm).toFixed(1)} ms`
  const atRest: Finding = { what: 'router/lists of another account, calm, p99', value: p99(calm), unit: 'ms', note }
  const findings = [atRest, ...rounds]
  return print(`Files of ${ROWS} software members`, findings)
}

async function measureFile(
  kind: 'added' | 'deleted',
  answer: Promise<number>,
  list: () => Promise<number>,
): Promise<readonly Finding[]> {
  const waits = await callEvenly(list, answer)
  return [
    {
      what: `${ROWS} members ${kind}`,
      value: await answer,
      unit: 'ms',
      budget: BUDGET.answerMs,
      must: 'stay below',
    },
    {
      what: `router/lists of another account while they are ${kind}, p99`,
      value: p99(waits),
      unit: 'ms',
      budget: BUDGET.listMs,
      must: 'stay below',
      note: `median ${median(waits).toFixed(1)} ms of ${waits.length}`,
    },
  ]
}

/** Calls at an even pace until `end`, without waiting for earlier answers; returns their values. */
async function callEvenly<T>(call: () => Promise<T>, end: Promise<unknown>): Promise<T[]> {
  const ended = end.then(() => true)
  const waiting: Promise<T>[] = []
  for (let isOver = false; !isOver; isOver = await Promise.race([ended, sleep(CALL_EVERY_MS, false)]))
    waiting.push(call())
  return Promise.all(waiting)
}

/** Creates a workbook of members, half of them with a phone. */
async function createFile(kind: 'added' | 'deleted'): Promise<File> {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const phone = i % 2 === 0 ? String(13_800_000_000 + i) : ''
    return kind === 'added' ? [`user${i}`, `Weilai26x${i}`, '', phone, `第${i}个成员`] : [`user${i}`]
  })
  const columns = kind === 'added' ? ADD_TEMPLATE : DELETE_TEMPLATE
  const content = await new Response(createWorkbookStream({ sheetName: '成员', columns, rows })).arrayBuffer()
  return new File([new Uint8Array(content)], 'members.xlsx', { type: FILE_TYPES.xlsx.mediaType })
}

/** Resolves when a run of the job that hashes imported passwords has ended: the next one is half a minute away. */
async function hashingPaused({ data }: Stack): Promise<void> {
  const count = () =>
    readDatabase(data, (all) =>
      Number(all(`select count(*) as n from routers where source = 'batch' and password_sealed is null`)[0]?.['n']),
    )
  const first = count()
  for (let [last, quietLooks] = [first, 0]; last === first || quietLooks < QUIET_LOOKS;) {
    await sleep(SAVED_MS)
    const hashed = count()
    quietLooks = hashed > last ? 0 : quietLooks + 1
    last = hashed
  }
}
