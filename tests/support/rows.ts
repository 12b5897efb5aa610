import { sql } from 'drizzle-orm'
import { accounts } from '#db/schema/accounts.ts'
import { devices, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { messageMarks, messages } from '#db/schema/notices.ts'
import { networkTickets } from '#db/schema/pop.ts'
import { tickets } from '#db/schema/tickets.ts'
import { newHubName } from '#security/hub-name.ts'
import { randomHex } from '#security/secrets.ts'
import { db } from './test-worker.ts'

/** Rows with valid defaults, each under a name and a hub of its own; `over` sets further columns. */

/** A name no other test has. */
export const unique = (prefix = 'user'): string => `${prefix}${randomHex(4)}`

type Over<T, Needed extends keyof T> = Partial<T> & Required<Pick<T, Needed>>

export async function insertAccount(over: Partial<typeof accounts.$inferInsert> = {}) {
  const [row] = await db
    .insert(accounts)
    .values({
      username: unique(),
      nickname: '测试账号',
      password: '',
      ramDomain: unique('d'),
      createdAt: Date.now(),
      hub: newHubName('default'),
      ...over,
    })
    .returning({ id: accounts.id, username: accounts.username, hub: accounts.hub })
  return row!
}

/** A device as it leaves the factory. */
export async function insertDevice(over: Partial<typeof devices.$inferInsert> = {}) {
  const [row] = await db
    .insert(devices)
    .values({
      serial: unique('NL-').toUpperCase(),
      model: 'NL-200',
      activationHash: randomHex(8),
      createdAt: Date.now(),
      ...over,
    })
    .returning({ id: devices.id, serial: devices.serial })
  return row!
}

/** Hardware unless overridden. */
export async function insertRouter(over: Over<typeof routers.$inferInsert, 'accountId' | 'name'>) {
  const hub = newHubName('default')
  const [row] = await db
    .insert(routers)
    .values({ routerType: 1, createdAt: Date.now(), hub, uid: hub, ...over })
    .returning({ id: routers.id, name: routers.name, hub: routers.hub, uid: routers.uid })
  return row!
}

/** Software members of these names, in order. */
export const insertSoftwareRouters = (accountId: number, names: readonly string[]) =>
  db.run(sql`
    insert into routers (account_id, name, router_type, password, hub, created_at)
    select ${accountId}, value, 2, '', 'default.' || lower(hex(randomblob(16))), 1
    from json_each(${JSON.stringify(names)}) order by key`)

/** Hardware members of these names, in no network, in order. */
export const insertHardwareRouters = (accountId: number, names: readonly string[]) =>
  db.batch([
    db.run(sql`
      insert into devices (serial, model, activation_hash, created_at)
      select value, 'NL-200', value, 1 from json_each(${JSON.stringify(names)})`),
    db.run(sql`
      insert into routers (account_id, name, router_type, device_id, hub, created_at)
      select ${accountId}, d.serial, 1, d.id, 'default.' || lower(hex(randomblob(16))), 1
      from json_each(${JSON.stringify(names)}) n join devices d on d.serial = n.value order by n.key`),
  ])

export async function insertNetwork(over: Over<typeof networks.$inferInsert, 'accountId'>) {
  const [row] = await db
    .insert(networks)
    .values({
      number: unique('n'),
      name: '测试组网',
      secret: randomHex(16),
      createdAt: Date.now(),
      hub: newHubName('default'),
      ...over,
    })
    .returning({ id: networks.id, number: networks.number, hub: networks.hub })
  return row!
}

let centers = 0
/** A member at the next host of its network: a counter of all tests would leave small segments behind. */
export async function insertMember(
  over: Over<typeof networkMembers.$inferInsert, 'accountId' | 'networkId' | 'routerId' | 'memberType'>,
): Promise<void> {
  const segmentIndex = over.memberType === 'center' ? centers++ % 500 : null
  const host = sql`(select coalesce(max(host), 1) + 1 from network_members where network_id = ${over.networkId})`
  await db.insert(networkMembers).values({ segmentIndex, joinedAt: Date.now(), ...over, host: over.host ?? host })
}

/** An order of POP access, unprocessed and without members unless overridden. */
export async function insertTicket(
  over: Over<typeof networkTickets.$inferInsert, 'accountId' | 'number' | 'networkNumber'>,
): Promise<void> {
  const attributes = JSON.stringify({ bandwidth: 50, expired_time: 1, pop: [], pop_conf: {} })
  await db.insert(networkTickets).values({ attributes, createdBy: 'test', createdAt: Date.now(), ...over })
}

/** A support ticket of the main account, closed unless overridden. */
export async function insertSupportTicket(
  over: Over<typeof tickets.$inferInsert, 'accountId' | 'number'>,
): Promise<void> {
  const now = Date.now()
  const texts = { title: '标题', content: '内容', author: 'test', type: 6 } as const
  const row = {
    ...texts,
    person: `main:${over.accountId}`,
    status: 4,
    closedAt: now,
    createdAt: now,
    updatedAt: now,
  } as const
  await db.insert(tickets).values({ ...row, ...over })
}

/** Of the whole account, and unread by everybody, unless overridden. Answers its id. */
export async function insertMessage({
  readBy = [],
  ...over
}: Over<typeof messages.$inferInsert, 'accountId'> & { readonly readBy?: readonly string[] }): Promise<number> {
  const texts = { type: '系统', title: '标题', content: '内容' } as const
  const row = { eventId: unique('e'), ...texts, createdAt: Date.now(), ...over }
  const [message] = await db.insert(messages).values(row).returning({ id: messages.id })
  const mark = { messageId: message!.id, accountId: over.accountId, readAt: Date.now() }
  for (const person of readBy) await db.insert(messageMarks).values({ ...mark, person })
  return message!.id
}
