import { abortAllDurableObjects, env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import type { Viewer } from '#contract/kernel/hubs.ts'
import type { AccountHub } from '#durable/account-hub/account-hub.ts'
import { insertMessage } from '#tests/support/rows.ts'
import { type TestAccount, accountStub, connectViewer, createAccount, createViewer, isShown } from './support.ts'

// A restart cuts off all consoles at once: what their hubs have stored is not asked of the database again.

const COLLEAGUE = { person: 'ram:1' } as const

/** Calls of the database: the tests themselves write one session for each console. */
const countCalls = () => vi.spyOn(env.DB!, 'batch')

/** Unread count in the first frame of a new console of a person. */
async function unreadOf(account: TestAccount, over: Partial<Viewer> = {}) {
  const console = await connectViewer(accountStub(account), createViewer(account, over))
  return (await console.next(isShown('account'))).data.unread
}

/** A notice of which the hub's read fails. */
async function failRead(account: TestAccount): Promise<void> {
  const away = countCalls().mockRejectedValue(new Error('D1 is away'))
  await runInDurableObject(accountStub(account), (hub: AccountHub) =>
    hub.refresh().then(
      () => {},
      () => {},
    ),
  )
  away.mockRestore()
}

describe('a console that comes back after a restart', () => {
  it('asks the database for nothing, and shows the count that was read before', async () => {
    const account = await createAccount()
    await insertMessage({ accountId: account.accountId })
    expect(await unreadOf(account)).toBe(1)
    await abortAllDurableObjects()
    const calls = countCalls()
    expect(await unreadOf(account)).toBe(1)
    expect(calls.mock.calls).toHaveLength(1)
  })

  it('asks for nothing either where others have come before it, alone in their own number', async () => {
    const account = await createAccount()
    await insertMessage({ accountId: account.accountId, person: 'ram:1' })
    expect(await unreadOf(account)).toBe(0)
    await abortAllDurableObjects()
    expect(await unreadOf(account, COLLEAGUE)).toBe(1)
    await abortAllDurableObjects()
    const calls = countCalls()
    expect([await unreadOf(account), await unreadOf(account, COLLEAGUE)]).toEqual([0, 1])
    expect(calls.mock.calls).toHaveLength(2)
  })

  it('reads the rows again after a notice whose read failed', async () => {
    const account = await createAccount()
    expect(await unreadOf(account)).toBe(0)
    await insertMessage({ accountId: account.accountId })
    await failRead(account)
    await abortAllDurableObjects()
    expect(await unreadOf(account)).toBe(1)
  })

  it('reads the rows for a person whose count a notice has outdated while only others watched', async () => {
    const account = await createAccount()
    expect(await unreadOf(account)).toBe(0)
    await abortAllDurableObjects()
    expect(await unreadOf(account, COLLEAGUE)).toBe(0)
    await insertMessage({ accountId: account.accountId })
    await accountStub(account).refresh()
    await abortAllDurableObjects()
    expect(await unreadOf(account)).toBe(1)
  })
})
