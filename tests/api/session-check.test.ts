import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { sessions } from '#db/schema/accounts.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { requestContext } from '#http/request-context.ts'
import { storeFile } from '#features/file/service.ts'
import { onError } from '#http/errors.ts'
import { createOutside } from '#outside/adapters.ts'
import { directPasswords } from '#tests/support/direct-passwords.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createPng } from '#tests/support/images.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

// The session is checked before a handler's first effect: on rows, on a hub, on files, on the outside.

const PNG = createPng()

/** Runs a handler as a closed endpoint for a session that has ended. */
async function runRevoked(handle: (ctx: Ctx) => Promise<unknown>) {
  const main = await createMainAccount()
  await db.update(sessions).set({ endedAt: 1 }).where(eq(sessions.id, main.session.id))
  return { main, ...(await run(main.token, handle)) }
}

async function run(token: string, handle: (ctx: Ctx) => Promise<unknown>) {
  const { hubs, calls } = fakeHubs()
  const { passwords, hashes } = directPasswords()
  const app = new Hono<HonoEnv>()
  app.onError(onError)
  app.use(
    '*',
    requestContext({ hubs: () => hubs, outside: createOutside, passwords: () => passwords, status: () => NO_STATUS }),
  )
  app.get('/', async (c) => {
    c.set('isClosed', true)
    await handle(c.get('ctx'))
    return c.json({ code: 200 })
  })
  const context = createExecutionContext()
  const request = new Request('http://localhost/', { headers: { authorization: `Bearer ${token}` } })
  const response = await app.fetch(request, env, context)
  await waitOnExecutionContext(context)
  const trips = Number(response.headers.get('x-db-trips'))
  return { reply: await response.json(), calls, hashes, trips }
}

it('a hub is not called for a session that has ended', async () => {
  const { reply, calls } = await runRevoked((ctx) => ctx.hubs.account('default.x').refresh())
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
  expect(calls).toEqual([])
})

it('a socket is not opened on a hub either', async () => {
  const { reply, calls } = await runRevoked((ctx) => ctx.hubs.connect('account', 'default.x', {} as never))
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
  expect(calls).toEqual([])
})

it('no mail is sent', async () => {
  const { reply } = await runRevoked((ctx) =>
    ctx.outside.mail.send('a@example.cn', { host: '', subject: '', text: '', html: '' }),
  )
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
})

it('no password is hashed', async () => {
  const client = { account: 'x', source: 'x', isAnonymous: false }
  const { reply, hashes } = await runRevoked((ctx) => ctx.passwords.run(client, { hash: { password: 'x' } }))
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
  expect(hashes).toEqual([])
})

it('no file is stored', async () => {
  const before = (await env.FILES.list()).objects.length
  const upload = { bytes: PNG, name: 'a.png', purpose: 'ticket_image' } as const
  const { reply } = await runRevoked((ctx) => storeFile(ctx, upload))
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
  expect((await env.FILES.list()).objects).toHaveLength(before)
})

it('no file is read', async () => {
  const { reply } = await runRevoked((ctx) => ctx.files.get('files/x'))
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
})

it('of two trips that are started together neither runs', async () => {
  const rename = (ctx: Ctx, text: string) =>
    ctx.db.update(sessions).set({ userAgent: text }).where(eq(sessions.id, ctx.session!.id))
  const { main, reply } = await runRevoked((ctx) => Promise.all([rename(ctx, 'first'), rename(ctx, 'second')]))
  expect(reply).toMatchObject(refusal('SESSION_REVOKED'))
  const [row] = await db.select().from(sessions).where(eq(sessions.id, main.session.id))
  expect(row!.userAgent).toBe('test')
})

it('for an open session the check costs a trip only where a hub is called first', async () => {
  const { token } = await createMainAccount()
  const hubFirst = await run(token, (ctx) => ctx.hubs.account('default.x').refresh())
  expect(hubFirst).toMatchObject({ reply: { code: 200 }, calls: [{ method: 'refresh' }], trips: 1 })
  const readFirst = await run(token, async (ctx) => {
    await ctx.db.select().from(sessions).limit(1)
    await ctx.hubs.account('default.x').refresh()
  })
  expect(readFirst).toMatchObject({ reply: { code: 200 }, calls: [{ method: 'refresh' }], trips: 1 })
})
