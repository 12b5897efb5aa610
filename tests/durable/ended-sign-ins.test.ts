import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { accounts } from '#db/schema/accounts.ts'
import { proveByPhone, signInAgain } from '#tests/support/own-contact.ts'
import { createPhone } from '#tests/support/otp.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import {
  type ViewerSocket,
  accountStub,
  connectViewer,
  createHubNetwork,
  createViewer,
  isShown,
  networkStub,
} from './support.ts'
import { accountApi } from '#contract/account/index.ts'

const worker = createTestWorker({ hubs: createHubs(env) })

/** A network whose page is open in two sessions of the main account, each with both of its sockets. */
async function openTwice() {
  const network = await createHubNetwork(1)
  const { main } = network
  const other = await signInAgain(main)
  const open = async (sessionId: string): Promise<ViewerSocket[]> => {
    const console = await connectViewer(accountStub(network), createViewer(network, { sessionId }))
    const page = await connectViewer(networkStub(network), createViewer(network, { sessionId }))
    await console.next(isShown('account'))
    await page.next(isShown('snapshot'))
    return [console, page]
  }
  return { main, other, own: await open(main.session.id), others: await open(other.session.id) }
}

const expectEnded = async (sockets: readonly ViewerSocket[]) => {
  for (const socket of sockets) expect((await socket.end()).code).toBe(CLOSE.sessionEnded)
}
const expectOpen = (sockets: readonly ViewerSocket[]) =>
  expect(sockets.map(({ closed }) => closed)).toEqual([null, null])

describe('account 2 · sockets of sign-ins that are ended', () => {
  it('account/end_session closes those of that session on every hub, and no others', async () => {
    const { main, other, own, others } = await openTwice()
    const answer = await worker.call(accountApi.endSession, { session_id: other.session.id }, main.token)
    expect(answer.code).toBe(200)
    await expectEnded(others)
    expectOpen(own)
  })

  it('account/end_other_sessions keeps those of this session', async () => {
    const { main, own, others } = await openTwice()
    expect((await worker.call(accountApi.endOtherSessions, {}, main.token)).code).toBe(200)
    await expectEnded(others)
    expectOpen(own)
  })

  it('a changed password keeps those of this session', async () => {
    const { main, own, others } = await openTwice()
    const phone = createPhone()
    await db
      .update(accounts)
      .set({ phone: phone.slice(4) })
      .where(eq(accounts.id, main.accountId))
    await proveByPhone(main, phone)
    const passwords = { new_password: 'Fresh2026', reset_password: 'Fresh2026' }
    expect((await worker.call(accountApi.editPassword, passwords, main.token)).code).toBe(200)
    await expectEnded(others)
    expectOpen(own)
  })
})
