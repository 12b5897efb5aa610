import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { API } from '#contract/api.ts'
import type { Access, Permission } from '#contract/kernel/permissions.ts'
import { sampleOf } from '#tests/support/depth.ts'
import { NAMES, toInput } from '#tests/support/example-input.ts'
import { type Caller, createMainAccount, createSession, createSubAccount } from '#tests/support/fixtures.ts'
import { RIGHTS, type Scope, networksOf } from '#tests/support/rights.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const closed = API.filter(({ access }) => access !== 'public')

/** Below the write budget. */
const CALLS_OF_A_SESSION = 40

let main: Caller
let listed: string
beforeAll(async () => {
  main = await createMainAccount()
  listed = (await insertNetwork({ accountId: main.accountId })).number
})

/** Rights of directory 3 and network 6, written down apart from the policy table. */
function isOpen(access: Access, flags: readonly Permission[], scope: Scope): boolean {
  if (access === 'main' || access === 'client') return false
  if (access === 'session' || access === 'ram') return true
  if (access === 'session:all') return scope === 'all'
  if (access === 'network:create') return scope === 'all' && flags.includes(access)
  const [noun, verb, whole] = access.split(':')
  return flags.includes(`${noun}:${verb}` as Permission) && (whole === undefined || scope === 'all')
}

/** Adding members straight to a network takes the right to edit it as well; a limited role adds them in no other way. */
const isJoining = ({ access }: Endpoint, input: object, scope: Scope): boolean =>
  scope === 'all' && access === 'router:create' && JSON.stringify(input).includes(NAMES.network)

describe('directory 6 · every endpoint by each right, by the networks of the role', () => {
  it('each call is open to its own right, on the networks of the role', async () => {
    const offenders = await findOffenders(sampleOf('rights', RIGHTS))(async (_, scope, flags) => {
      const sub = await createSubAccount(main, { flags, networks: networksOf(scope, listed) })
      const wrong: string[] = []
      let caller: Pick<Caller, 'call'> = sub
      for (const [n, spec] of closed.entries()) {
        if (n % CALLS_OF_A_SESSION === 0) caller = await createSession(sub.session)
        const input = toInput(spec, NAMES)
        const asked = spec.accessOf?.(input) ?? [spec.access]
        const isRight =
          isOpen(spec.access, flags, scope) &&
          asked.some((access) => isOpen(access, flags, scope)) &&
          (!isJoining(spec, input, scope) || isOpen('network:edit', flags, scope))
        const { reason } = await caller.call(spec, input)
        if ((reason === 'PERMISSION_DENIED') === isRight) wrong.push(`${spec.path}: ${reason ?? 'done'}`)
        if (reason !== undefined && ['TOO_OFTEN', 'SESSION_REVOKED', 'TOKEN_BAD'].includes(reason))
          wrong.push(`${spec.path}: ${reason}`)
      }
      expect(wrong).toEqual([])
    })
    expect(offenders).toEqual([])
  })
})
