import { beforeAll, describe, expect, it } from 'vitest'
import { LOG_EXPORTS, type LogExport, logsApi } from '#contract/logs/index.ts'
import { routerApi } from '#contract/router/index.ts'
import {
  type Caller,
  createMainAccount,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
} from '#tests/support/fixtures.ts'
import { insertLogRows } from '#tests/support/log-exports.ts'
import { RIGHTS, networksOf, type Scope } from '#tests/support/rights.ts'
import { insertMember, insertNetwork } from '#tests/support/rows.ts'
import { readWorkbookText } from '#tests/support/workbooks.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** Only the account holder's (directory 7). */
const OF_MAIN: readonly LogExport[] = ['software_login', 'audit']
/** By the networks of the role, of the network that is listed and of another one. */
const SEEN: Readonly<Record<Scope, readonly boolean[]>> = {
  all: [true, true],
  listed: [true, false],
  none: [false, false],
}

let owner: Caller
let listed: string
const MARKS = ['列入的', '其他的']

/** A network with a centre, a software member and a row in each log. */
async function createLoggedNetwork(mark: string): Promise<string> {
  const { accountId } = owner
  const router = await createRouter(accountId, { note: mark })
  const software = await createSoftwareRouter(accountId, { note: mark })
  const network = await insertNetwork({ accountId })
  const member = { accountId, networkId: network.id }
  await insertMember({ ...member, routerId: router.id, memberType: 'center' })
  await insertMember({ ...member, routerId: software.id, memberType: 'point' })
  await insertLogRows({ accountId, routerId: router.id, router: router.name, network: network.number, mark })
  return network.number
}

beforeAll(async () => {
  owner = await createMainAccount()
  listed = await createLoggedNetwork(MARKS[0]!)
  await createLoggedNetwork(MARKS[1]!)
})

/** Marks found in an export, or the reason of its refusal. */
const outcome = (reason: string | undefined, workbook: ArrayBuffer | string | undefined | null) =>
  workbook ? MARKS.map((mark) => readWorkbookText(workbook).includes(mark)) : reason
const range = () => ({ start_time: Date.now() - 3_600_000, end_time: Date.now() + 3_600_000 })

describe('directory 6 · every flag and limit × every export', () => {
  it('logs/export of each type holds the rows of the role’s networks, and none of the main account’s', async () => {
    const offenders = await findOffenders(RIGHTS)(async (_, scope, flags) => {
      const sub = await createSubAccount(owner, { flags, networks: networksOf(scope, listed) })
      for (const type of LOG_EXPORTS) {
        const answer = await sub.call(logsApi.export, { type, ...range() })
        const ofRole = scope === 'none' ? 'EXPORT_EMPTY' : SEEN[scope]
        const expected = OF_MAIN.includes(type) ? 'PERMISSION_DENIED' : ofRole
        expect([type, outcome(answer.reason, answer.data)]).toEqual([type, expected])
      }
    })
    expect(offenders).toEqual([])
  })

  it('router/export holds the members of the role’s networks, for who may edit them', async () => {
    const offenders = await findOffenders(RIGHTS)(async (_, scope, flags) => {
      const sub = await createSubAccount(owner, { flags, networks: networksOf(scope, listed) })
      const answer = await sub.call(routerApi.export, {})
      const expected = flags.includes('router:edit') ? SEEN[scope] : 'PERMISSION_DENIED'
      expect(outcome(answer.reason, answer.bytes)).toEqual(expected)
    })
    expect(offenders).toEqual([])
  })

  it('the account holder exports all of them', async () => {
    for (const type of LOG_EXPORTS) {
      const answer = await owner.call(logsApi.export, { type, ...range() })
      expect([type, outcome(answer.reason, answer.data)]).toEqual([type, [true, true]])
    }
  })
})
