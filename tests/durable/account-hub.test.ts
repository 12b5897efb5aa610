import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { messages } from '../../worker/db/schema/notices.ts'
import { sessions } from '../../worker/db/schema/accounts.ts'
import { newHubName } from '../../worker/security/hub-name.ts'
import { db } from '../support/test-worker.ts'
import { unique } from '../support/fixtures.ts'
import {
  createHubNetwork,
  connectViewer,
  accountStub,
  createAccount,
  connectOnlineDevice,
  isShown,
  openSession,
  routerStub,
  createViewer,
} from './support.ts'

const createMessage = (accountId: number) =>
  db
    .insert(messages)
    .values({ accountId, eventId: unique('e'), type: '系统', title: '标题', content: '内容', createdAt: Date.now() })

it('sends open consoles the unread count, at once and when it changes', async () => {
  const account = await createAccount()
  const { accountId } = account
  await createMessage(accountId)
  const console = await connectViewer(accountStub(account), createViewer(account))
  expect((await console.next(isShown('account'))).data.unread).toBe(1)
  await createMessage(accountId)
  await accountStub(account).refresh()
  await console.next((frame) => frame.type === 'account' && frame.data.unread === 2)
})

it('sends a console only members it may see', async () => {
  const network = await createHubNetwork(1)
  const { number, center } = network
  const grants = (networks: string[]) => ({ kind: 'ram' as const, flags: [], networks })
  const [main, within, without] = await Promise.all([
    connectViewer(accountStub(network), createViewer(network)),
    connectViewer(accountStub(network), createViewer(network, { grants: grants([number]) })),
    connectViewer(accountStub(network), createViewer(network, { grants: grants(['other']) })),
  ])
  await routerStub(center).refresh()
  await connectOnlineDevice(center)
  const isOnline = (frame: (typeof main.frames)[number]) =>
    frame.type === 'routers' && frame.data.some((r) => r.router_name === center.name && r.presence.state === 'online')
  const { seq } = await main.next(isOnline)
  await within.next(isOnline)
  const seen = await without.next((frame) => frame.seq === seq)
  expect(seen).toMatchObject({ type: 'routers', data: [] })
})

it('refuses a session for a minute after its end, and then deletes the entry', async () => {
  const account = await createAccount()
  const hub = accountStub(account)
  const { accountId } = account
  const [sessionId, other] = [unique('s'), unique('s')]
  for (const id of [sessionId, other]) await openSession({ sessionId: id, accountId })
  const entry = (id: string) => ({ sessionId: id, kind: 'router' as const, hub: newHubName('default'), on: true })
  expect(await hub.watching(entry(sessionId))).toBe(true)
  await db.update(sessions).set({ endedAt: Date.now() }).where(eq(sessions.id, sessionId))
  await hub.refresh()
  expect(await hub.watching(entry(sessionId))).toBe(false)
  expect(await hub.watching(entry(other))).toBe(true)
})

it('closes a watcher whose session row is deleted', async () => {
  const network = await createHubNetwork(1)
  const viewer = createViewer(network)
  const socket = await connectViewer(routerStub(network.center), viewer)
  await socket.next(isShown('history'))
  await db.delete(sessions).where(eq(sessions.id, viewer.sessionId))
  await accountStub(network).refresh()
  expect((await socket.end()).code).toBe(4004)
})
