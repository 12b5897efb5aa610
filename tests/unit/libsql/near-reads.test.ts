import { createClient } from '@libsql/client/web'
import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BOOKMARK_HEADER, toWriteBookmark, writtenAt } from '#contract/kernel/bookmark.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import type { Session } from '#contract/kernel/session.ts'
import { bookmarkOfRead, isReadableNear } from '#db/bookmarks.ts'
import { newHubName } from '#security/hub-name.ts'
import { signAccessToken } from '#security/tokens.ts'
import { createApp } from '#worker/app.ts'
import { directPasswords } from '#tests/support/direct-passwords.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'
import { type LibsqlServer, startLibsqlServer } from '#tests/support/libsql-server/server.ts'

// libSQL: a replica answers a read once the caller's last write is older than the lag that the operator has named.

const TOKEN = 'token'
const LAG_S = 5
const KEYS = `test:${'j'.repeat(32)}`
const HUB = newHubName('default')
const SESSION: Session = {
  id: 'session-1',
  version: 1,
  accountId: 1,
  ramId: null,
  username: 'user1',
  grants: { kind: 'main', flags: PERMISSIONS, networks: null },
  hub: HUB,
}

let servers: LibsqlServer[] = []
let env: Env

/** A database whose one network has this name. */
async function startDatabase(networkName: string): Promise<LibsqlServer> {
  const server = await startLibsqlServer(TOKEN)
  const client = createClient({ url: server.url, authToken: TOKEN })
  for (const file of readdirSync('migrations').toSorted())
    await client.executeMultiple(readFileSync(`migrations/${file}`, 'utf8'))
  await client.batch(
    [
      `insert into accounts (id, username, nickname, password, ram_domain, created_at, hub) values (1, 'user1', '', '', 'd1', 0, '${HUB}')`,
      `insert into sessions (id, account_id, refresh_hash, rotated_at, ip, user_agent, created_at, expires_at)
        values ('session-1', 1, 'r', 0, '', '', 0, 9999999999999)`,
      `insert into networks (account_id, number, name, secret, hub, created_at) values (1, 'N20260001', '${networkName}', '', '${newHubName('default')}', 0)`,
    ],
    'write',
  )
  client.close()
  return server
}

beforeAll(async () => {
  servers = [await startDatabase('新'), await startDatabase('旧')]
})
afterAll(() => Promise.all(servers.map((server) => server.close())))
beforeEach(() => {
  const [primary, replica] = servers
  env = {
    ENVIRONMENT: 'local',
    JWT_KEYS: KEYS,
    FILES: {},
    LIBSQL_URL: primary!.url,
    LIBSQL_TOKEN: TOKEN,
    LIBSQL_REPLICA_URL: replica!.url,
    LIBSQL_REPLICA_LAG_S: String(LAG_S),
  } as unknown as Env
})

const app = createApp({
  hubs: () => fakeHubs({ 'account.sessionState': () => 'open' }).hubs,
  outside: () => ({ sms: {}, mail: {}, webhook: {}, domains: {} }) as Outside,
  passwords: () => directPasswords().passwords,
  status: () => NO_STATUS,
})

async function request(path: string, bookmark?: string, init: RequestInit = {}) {
  const headers = {
    authorization: `Bearer ${await signAccessToken(KEYS, SESSION, Date.now())}`,
    'content-type': 'application/json',
    ...(bookmark !== undefined && { [BOOKMARK_HEADER]: bookmark }),
  }
  const work: Promise<unknown>[] = []
  const context = { waitUntil: (one: Promise<unknown>) => void work.push(one) } as unknown as ExecutionContext
  const response = await app.request(`/api/v1/${path}`, { ...init, headers }, env, context)
  await Promise.all(work)
  const body: { code: number; data: { network_name: string }[] } = await response.json()
  const { code, data } = body
  return { code, name: data?.[0]?.network_name, bookmark: response.headers.get(BOOKMARK_HEADER) ?? '' }
}
const readName = (bookmark?: string) => request('network/select', bookmark)
const ago = (seconds: number) => toWriteBookmark(Date.now() - seconds * 1000)

describe('libSQL · near reads', () => {
  it('come from the replica once the last write is older than the lag, and keep the bookmark', async () => {
    const old = ago(LAG_S + 1)
    expect(await readName(old)).toEqual({ code: 200, name: '旧', bookmark: old })
    const fresh = ago(LAG_S - 2)
    expect(await readName(fresh)).toEqual({ code: 200, name: '新', bookmark: fresh })
  })

  it('without a bookmark are those of the primary, and hold the replica off like a write', async () => {
    const { name, bookmark } = await readName()
    expect(name).toBe('新')
    expect(Date.now() - writtenAt(bookmark)!).toBeLessThan(2_000)
    expect((await readName(bookmark)).name).toBe('新')
  })

  it('a write gives the time at which it was done', async () => {
    const input = JSON.stringify({ list: 'router', name: '视图', query: 'state=offline' })
    const saved = await request('account/save_view', ago(60), { method: 'POST', body: input })
    expect(Date.now() - (writtenAt(saved.bookmark) ?? 0)).toBeLessThan(2_000)
    expect((await readName(saved.bookmark)).name).toBe('新')
  })

  it('there are none by a forged bookmark, nor without a replica or its lag', async () => {
    for (const forged of [ago(-3600), 'w1', `00000001-00000000-00000000-${'0'.repeat(32)}`])
      expect((await readName(forged)).name).toBe('新')
    for (const missing of ['LIBSQL_REPLICA_URL', 'LIBSQL_REPLICA_LAG_S'] as const) {
      const one = { ...env, [missing]: undefined }
      expect(isReadableNear(one as never, ago(60), Date.now())).toBe(false)
    }
    expect(bookmarkOfRead({ LIBSQL_URL: 'x' }, undefined, 0)).toBeUndefined()
    expect(bookmarkOfRead({}, undefined, 0)).toBeUndefined()
  })

  it('come from the primary while the replica is away', async () => {
    env = { ...env, LIBSQL_REPLICA_URL: 'http://127.0.0.1:9' }
    expect(await readName(ago(60))).toMatchObject({ code: 200, name: '新' })
  })
})
