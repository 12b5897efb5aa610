import { createClient } from '@libsql/client/web'
import { SignJWT } from 'jose'
import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { readAccount } from '#durable/account-hub/database.ts'
import { readNetwork } from '#durable/network-hub/database.ts'
import { readRouter } from '#durable/router-hub/database.ts'
import { createApp } from '#worker/app.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import { directPasswords } from '#tests/support/direct-passwords.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'
import { type LibsqlServer, startLibsqlServer } from '#tests/support/libsql-server/server.ts'

// A replica may lag behind: a row that is missing there is not gone. What a hub or a device takes for a deletion is read
// on the primary, in a transaction that no replica answers.

const TOKEN = 'token'
const HUB = `default.${'0'.repeat(32)}`
let server: LibsqlServer
let env: Env
let begun: string[] = []

beforeAll(async () => {
  server = await startLibsqlServer(TOKEN)
  const client = createClient({ url: server.url, authToken: TOKEN })
  for (const file of readdirSync('migrations').toSorted())
    await client.executeMultiple(readFileSync(`migrations/${file}`, 'utf8'))
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (input: Request) => {
    const texts = (await input.clone().text()).match(/BEGIN \w+( READONLY)?/g)
    begun.push(...(texts ?? []))
    return fetch(input)
  })
  env = { LIBSQL_URL: server.url, LIBSQL_TOKEN: TOKEN, ENVIRONMENT: 'local' } as unknown as Env
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await server.close()
})
beforeEach(() => {
  begun = []
})

it.each([
  ['router hub', () => readRouter(env, HUB)],
  ['network hub', () => readNetwork(env, HUB)],
  [
    'account hub',
    () => readAccount(env, HUB, { watchers: [], watching: [], endedSince: 0, routerHubs: [], ticketsSince: 0 }),
  ],
])('a %s reads its row on the primary', async (_, read) => {
  expect(await read()).toBeNull()
  expect(begun).toEqual(['BEGIN IMMEDIATE'])
})

it('a device is looked up on the primary', async () => {
  const app = createApp({
    hubs: () => fakeHubs().hubs,
    outside: () => ({ sms: {}, mail: {}, webhook: {}, domains: {} }) as Outside,
    passwords: () => directPasswords().passwords,
    status: () => NO_STATUS,
  })
  const token = await new SignJWT().setProtectedHeader({ alg: 'HS256' }).setIssuer('NL-1').sign(new Uint8Array(32))
  const answer = await app.request(
    '/device/v1/connect',
    { headers: { authorization: `Bearer ${token}` } },
    { ...env, FILES: {} },
  )
  expect(answer.status).toBe(403)
  expect(begun).toEqual(['BEGIN IMMEDIATE', 'BEGIN IMMEDIATE']) // the second counts the refused token
})
