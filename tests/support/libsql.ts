import { readFileSync, readdirSync } from 'node:fs'
import { createClient } from '@libsql/client'
import type { ServiceKind } from '#contract/account/services.ts'
import { type Db, openDb } from '#db/client.ts'
import { libsqlDriver } from '#db/driver.ts'
import type { Ctx } from '#http/context.ts'
import { newHubName } from '#security/hub-name.ts'
import { directPasswords } from './direct-passwords.ts'
import { fakeHubs } from './fake-hubs.ts'
import { NO_STATUS } from './fake-status.ts'

// A libSQL of its own for each test file, with the tables of migrations/, and contexts for use cases without HTTP.

export const NOW = 1_800_000_000_000
const client = createClient({ url: ':memory:' })
for (const file of readdirSync('migrations').toSorted())
  await client.executeMultiple(readFileSync(`migrations/${file}`, 'utf8'))

export const driver = libsqlDriver(client)
export const db: Db = openDb(driver)
export const run = async (sql: string, args: (string | number | null)[] = []) =>
  (await client.execute({ sql, args })).rows

const { hubs } = fakeHubs()
/** A context without a session, unless overridden. */
function createContext(over: Partial<Ctx> = {}): Ctx {
  return {
    session: null,
    client: null,
    operator: { name: 'test', scope: 'admin' },
    db,
    hubs,
    outside: {} as Ctx['outside'],
    passwords: directPasswords().passwords,
    status: NO_STATUS,
    files: {} as Ctx['files'],
    env: {
      ENVIRONMENT: 'local',
      JWT_KEYS: `test:${'j'.repeat(32)}`,
      TICKET_KEYS: `test:${'t'.repeat(32)}`,
      HMAC_SECRET: 'h'.repeat(32),
      SEAL_KEYS: `test:${'5'.repeat(64)}`,
    },
    now: NOW,
    ip: '127.0.0.1',
    ipBlock: '127.0.0.1',
    ipWideBlock: '127.0.0.1',
    place: '',
    ipRegion: '127.0.0.0/16',
    hostname: 'localhost',
    userAgent: 'test',
    requestId: 'r',
    host: 'console.netloom.cn',
    countCall: async () => null,
    hubOutbox: [],
    waitUntil: (work) => void work,
    afterAnswer: (start) => void start(),
    setCookie: () => {},
    cookies: {},
    ...over,
  }
}

let accounts = 0
/** An account with this member quota and a context signed in to it. */
export async function createAccount(memberQuota: number, centers = 2) {
  const id = ++accounts
  await run(
    `insert into accounts (id, username, nickname, password, ram_domain, created_at, hub) values (?, ?, '', '', ?, 0, ?)`,
    [id, `user${id}`, `d${id}`, newHubName('default')],
  )
  for (const [kind, quantity] of [
    ['network_member', memberQuota],
    ['center', centers - 2],
  ] as const)
    await createService(id, kind, quantity)
  const grants = { kind: 'main', flags: [], networks: null } as const
  const session = { id: 's', version: 1, accountId: id, ramId: null, username: `user${id}`, grants }
  return { id, ctx: createContext({ session }) }
}

export const createService = (accountId: number, kind: ServiceKind, quantity: number) =>
  run(`insert into services (account_id, kind, name, quantity, start_at, expire_at) values (?, ?, '', ?, ?, ?)`, [
    accountId,
    kind,
    quantity,
    NOW - 1000,
    NOW + 1000,
  ])

export async function createRouters(accountId: number, hardware: number, software = 0): Promise<string[]> {
  const names: string[] = []
  for (let i = 0; i < hardware + software; i++) {
    const name = i < hardware ? `SN-${accountId}-${i}` : `soft${i}@sign00${accountId}`
    if (i < hardware)
      await run(`insert into devices (serial, model, activation_hash, created_at) values (?, 'X', '', 0)`, [name])
    await run(
      `insert into routers (account_id, name, router_type, device_id, password, created_at, hub)
       values (?, ?, ?, (select id from devices where serial = ?), ?, 0, ?)`,
      [accountId, name, i < hardware ? 1 : 2, name, i < hardware ? null : 'x', newHubName('default')],
    )
    names.push(name)
  }
  return names
}
