import { expect, it } from 'vitest'
import { messages } from '../../worker/db/schema/notices.ts'
import { aMainAccount, db, unique } from '../support/world.ts'
import { aNetwork, aViewer, accountStub, anOnlineDevice, isShown, routerStub, until, viewerOf } from './support.ts'

const aMessage = (accountId: number) =>
  db
    .insert(messages)
    .values({ accountId, eventId: unique('e'), type: '系统', title: '标题', content: '内容', createdAt: Date.now() })

it('tells open consoles what is unread, at once and when it moves', async () => {
  const { accountId } = await aMainAccount()
  await aMessage(accountId)
  const console = await aViewer(accountStub(accountId), viewerOf(accountId))
  expect((await console.next(isShown('account'))).data.unread).toBe(1)
  await aMessage(accountId)
  await accountStub(accountId).noticesChanged()
  await console.next((frame) => frame.type === 'account' && frame.data.unread === 2)
})

it('tells a console only of members it may see', async () => {
  const network = await aNetwork(1)
  const { accountId, number, center } = network
  const grants = (networks: string[]) => ({ kind: 'ram' as const, flags: [], networks })
  const [main, within, without] = await Promise.all([
    aViewer(accountStub(accountId), viewerOf(accountId)),
    aViewer(accountStub(accountId), viewerOf(accountId, { grants: grants([number]) })),
    aViewer(accountStub(accountId), viewerOf(accountId, { grants: grants(['other']) })),
  ])
  await routerStub(center.routerId).refresh()
  await anOnlineDevice(center)
  const isOnline = (frame: (typeof main.frames)[number]) =>
    frame.type === 'routers' && frame.data.some((r) => r.router_name === center.name && r.presence.state === 'online')
  const { seq } = await main.next(isOnline)
  await within.next(isOnline)
  const seen = await without.next((frame) => frame.seq === seq)
  expect(seen).toMatchObject({ type: 'routers', data: [] })
})

it('registers who watches what, and forgets it when they leave', async () => {
  const { accountId } = await aMainAccount()
  const hub = accountStub(accountId)
  expect(await hub.watching({ sessionId: 's', hub: 'router:1', on: true })).toBe(true)
  await hub.watching({ sessionId: 's', hub: 'router:1', on: false })
  await hub.endSessions(['s'])
  expect(await hub.watching({ sessionId: 's', hub: 'router:1', on: true })).toBe(false)
  await until(async () => ((await hub.watching({ sessionId: 't', hub: 'router:1', on: true })) ? true : undefined))
})
