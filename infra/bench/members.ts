import { opsApi } from '#contract/ops/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { SIGN, createMemberFile, createMembers, sendMemberFile } from './member-file.ts'
import { benchMemberExport } from './member-export.ts'
import { benchMemberPasswords } from './member-passwords.ts'
import { callEvenly } from './pace.ts'
import { type Finding, median, p99, print } from './report.ts'
import { openSession, writeTokens } from './sessions.ts'
import type { Stack } from './stack.ts'
import { routerApi } from '#contract/router/index.ts'

const ROWS = 1_000
const ROUNDS = 6
const CALL_EVERY_MS = 20
const CALM_MS = 4_000
const YEAR_MS = 365 * 86_400_000
const ANSWER_MS = 5_000
const LIST_MS = 100
const QUOTA = 12_000

/** Files of software members: what their answers take, and what another account waits meanwhile. */
export async function benchMembers(stack: Stack): Promise<readonly Finding[]> {
  const writeToken = await createCustomer(stack)
  const members = createMembers(ROWS)
  const calls = {
    added: { spec: routerApi.batch, file: await createMemberFile(routerApi.batch, members) },
    deleted: { spec: routerApi.batchDeleteFile, file: await createMemberFile(routerApi.batchDeleteFile, members) },
  } as const
  const send = async (kind: keyof typeof calls, token: Promise<string> = writeToken()) =>
    sendMemberFile(stack, await token, calls[kind].spec, calls[kind].file)
  const firstMs = await send('added')
  const passwords = await benchMemberPasswords(stack, members)
  // The cron has just ended: what follows is measured without hashes of its own.
  const other = await openSession(stack, 'demo01')
  const listMs = async () => {
    const startedAt = performance.now()
    await callEndpoint(stack.origin, '/api/v1', routerApi.lists, { page: 1 }, other)
    return performance.now() - startedAt
  }
  const calm = await callEvenly(listMs, CALL_EVERY_MS, new Promise((done) => setTimeout(done, CALM_MS)))
  const took = { added: [firstMs], deleted: [] as number[] }
  const waited = { added: [] as number[], deleted: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['deleted', 'added'] as const) {
      const token = writeToken()
      await token
      const answer = send(kind, token)
      waited[kind].push(...(await callEvenly(listMs, CALL_EVERY_MS, answer)))
      took[kind].push(await answer)
    }
  }
  await send('deleted')
  const calmMs = p99(calm)
  const findings: Finding[] = [
    {
      what: 'router/lists of another account, calm, p99',
      value: calmMs,
      unit: 'ms',
      note: `${calm.length} calls, median ${median(calm).toFixed(1)} ms`,
    },
    ...(['added', 'deleted'] as const).flatMap((kind): Finding[] => [
      {
        what: `${ROWS} members ${kind}, slowest answer`,
        value: Math.max(...took[kind]),
        unit: 'ms',
        budget: ANSWER_MS,
        must: 'stay below',
        note: `median ${median(took[kind]).toFixed(0)} ms of ${took[kind].length}`,
      },
      {
        what: `router/lists of another account meanwhile, p99`,
        value: p99(waited[kind]),
        unit: 'ms',
        budget: LIST_MS,
        must: 'stay below',
        note: `${(p99(waited[kind]) / calmMs).toFixed(1)} times calm, median ${median(waited[kind]).toFixed(1)} ms, longest ${Math.max(...waited[kind]).toFixed(0)} ms of ${waited[kind].length}`,
      },
    ]),
    ...passwords,
    ...(await benchMemberExport(stack, writeToken)),
  ]
  print(`Files of ${ROWS} software members`, findings)
  return findings
}

const ACCOUNT = { username: 'members01', password: 'Members2026', nickname: '成员租户', sign: SIGN }

/** An account that may have so many; answers the tokens for its writes. */
async function createCustomer(stack: Stack) {
  const { origin, operatorToken } = stack
  await callEndpoint(origin, '/ops/v1', opsApi.createAccount, ACCOUNT, operatorToken)
  const now = Date.now()
  const term = {
    kind: 'software_member',
    name: '软件成员',
    quantity: QUOTA,
    start_time: now,
    expired_time: now + YEAR_MS,
  } as const
  await callEndpoint(origin, '/ops/v1', opsApi.setService, { account: ACCOUNT.username, ...term }, operatorToken)
  return writeTokens(stack, ACCOUNT.username)
}
