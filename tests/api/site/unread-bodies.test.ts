import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import { type Endpoint, bodyKinds } from '#contract/kernel/endpoint.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { sessions } from '#db/schema/accounts.ts'
import { signAccessToken } from '#security/tokens.ts'
import { createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { db, request } from '#tests/support/test-worker.ts'

const KIB = 1_024
const HOUR_MS = 3_600_000
const CONTENT_TYPE = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  stream: 'application/octet-stream',
  query: '',
} as const

/** A body of this size that counts what is read of it. */
function countedBody(bytes: number) {
  let sent = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (sent >= bytes) return controller.close()
    const chunk = new Uint8Array(Math.min(64 * KIB, bytes - sent)).fill(0x61)
    sent += chunk.length
    controller.enqueue(chunk)
  }
  return { stream: new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }), sent: () => sent }
}

async function send(spec: Endpoint, token: string, bytes = 900 * KIB) {
  const { stream, sent } = countedBody(bytes)
  const response = await request(`/api/v1/${spec.path}`, {
    method: 'POST',
    headers: {
      'content-type': CONTENT_TYPE[bodyKinds(spec)[0]],
      'content-length': String(bytes),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: stream,
  })
  const { reason } = await response.json<{ reason: string }>()
  return { reason, sent: sent() }
}

const closed = API.filter((spec) => spec.method === 'POST' && spec.access !== 'public' && spec.access !== 'client')
const cells = closed.map((spec) => [spec.path, spec] as const)
const find = (path: string): Endpoint => closed.find((spec) => spec.path === path)!

describe('account 8 · a call that is refused before its body was read', () => {
  it('has kinds of bodies: forms, workbooks, images, certificates', () => {
    expect(new Set(closed.flatMap((spec) => bodyKinds(spec)))).toEqual(new Set(['json', 'form', 'multipart']))
    for (const path of ['router/batch', 'ticket/upload_file', 'ldap/upload_ca']) expect(find(path)).toBeDefined()
  })

  it('reads the body of an expired session to its end, so that a browser sees the answer', async () => {
    const main = await createMainAccount()
    const expired = await signAccessToken(env.JWT_KEYS, main.session, Date.now() - 24 * HOUR_MS)
    const offenders = await findOffenders(cells)(async (_, spec) => {
      expect(await send(spec, expired)).toEqual({ reason: 'TOKEN_EXPIRED', sent: 900 * KIB })
    })
    expect(offenders).toEqual([])
  })

  it('reads that of a role without the right, and of a body that is too large, up to the largest upload', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: [] })
    const batch = find('router/batch')
    expect(await send(batch, sub.token)).toEqual({ reason: 'PERMISSION_DENIED', sent: 900 * KIB })
    const small = closed.find((spec) => bodyKinds(spec)[0] === 'json' && spec.access === 'session')!
    expect(await send(small, main.token)).toEqual({ reason: 'BODY_TOO_LARGE', sent: 900 * KIB })
    const huge = await send(batch, sub.token, 8 * UPLOAD.maxBytes)
    expect(huge.reason).toBe('PERMISSION_DENIED')
    expect(huge.sent).toBeGreaterThanOrEqual(UPLOAD.maxBytes)
    expect(huge.sent).toBeLessThan(2 * UPLOAD.maxBytes)
  })

  it('reads nothing of a stranger’s body', async () => {
    for (const token of ['', 'x.y.z']) {
      const { reason, sent } = await send(find('ticket/upload_file'), token)
      expect([token, reason]).toEqual([token, 'TOKEN_BAD'])
      expect(sent).toBeLessThanOrEqual(64 * KIB)
    }
  })
})

describe('design 4 · a session that has ended is refused as ended, whatever is wrong with its body', () => {
  it('of every closed call, with a body that is malformed, empty or too large', async () => {
    const main = await createMainAccount()
    await db.update(sessions).set({ endedAt: 1 }).where(eq(sessions.id, main.session.id))
    const offenders = await findOffenders(cells)(async (_, spec) => {
      for (const body of ['{', '{}', 'x'.repeat(64)]) {
        const headers = { authorization: `Bearer ${main.token}`, 'content-type': CONTENT_TYPE[bodyKinds(spec)[0]] }
        const response = await request(`/api/v1/${spec.path}`, { method: 'POST', headers, body })
        expect(await response.json()).toMatchObject({ code: 2002, reason: 'SESSION_REVOKED' })
      }
    })
    expect(offenders).toEqual([])
  })
})
