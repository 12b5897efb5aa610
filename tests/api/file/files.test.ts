import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { FILE } from '#contract/file/limits.ts'
import { Refusal } from '#contract/kernel/errors.ts'
import { attachFiles } from '#features/file/sql.ts'
import { accounts } from '#db/schema/accounts.ts'
import { files } from '#db/schema/files.ts'
import { deleteOrphanFiles, sweptPart } from '#features/file/orphans.ts'
import type { Ctx } from '#http/context.ts'
import { objectName } from '#domain/file/upload.ts'
import { type StoredFile, signedFileAddress, storeFile } from '#features/file/service.ts'
import { type Caller, createMainAccount } from '#tests/support/fixtures.ts'
import { createPng } from '#tests/support/images.ts'
import { db, refusal, request } from '#tests/support/test-worker.ts'

const PNG = createPng()
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

let owner: Caller
let stranger: Caller
beforeAll(async () => {
  owner = await createMainAccount()
  stranger = await createMainAccount()
})

/** As much of a context as files ask for: no endpoint of the documents uploads yet. */
const createContext = ({ session }: Caller, now = Date.now()) =>
  ({ session, db, env, files: env.FILES, now }) as unknown as Ctx

const store = (
  caller: Caller,
  over: Partial<Parameters<typeof storeFile>[1]> = {},
  now?: number,
): Promise<StoredFile> =>
  storeFile(createContext(caller, now), { bytes: PNG, name: '截图.png', purpose: 'ticket_image', ...over })

async function stored(caller: Caller, over: Partial<Parameters<typeof storeFile>[1]> = {}, now?: number) {
  const file = await store(caller, over, now)
  await db.batch([file.insert])
  return file
}

const selectFile = async (key: string) => (await db.select().from(files).where(eq(files.key, key)))[0]
const headObject = (key: string) => env.FILES.head(objectName(key))

describe('design 5 · storeFile', () => {
  it('stores the bytes under a random name, and their metadata in a row', async () => {
    const [file, other] = [await stored(owner), await stored(owner)]
    expect(file.key).toMatch(/^[0-9a-f]{32}$/)
    expect(other.key).not.toBe(file.key)
    expect(await selectFile(file.key)).toMatchObject({
      accountId: owner.accountId,
      purpose: 'ticket_image',
      name: '截图.png',
      type: 'png',
      bytes: PNG.length,
      sha256: Buffer.from(await crypto.subtle.digest('SHA-256', PNG)).toString('hex'),
      createdBy: owner.username,
      person: `main:${owner.accountId}`,
      attachedTo: null,
    })
    const object = await env.FILES.get(objectName(file.key))
    expect(new Uint8Array(await object!.arrayBuffer())).toEqual(PNG)
  })
  it('stores nothing of what it refuses', async () => {
    const before = (await env.FILES.list()).objects.length
    const bytes = new Uint8Array(Buffer.from('<svg onload="alert(1)"/>'))
    await expect(store(owner, { bytes, name: 'a.png' })).rejects.toThrow(Refusal)
    await expect(store(owner, { bytes: new Uint8Array(), name: 'a.png' })).rejects.toThrow(Refusal)
    expect((await env.FILES.list()).objects.length).toBe(before)
  })
  it('leaves no row when the caller’s batch fails, and the sweep takes the object', async () => {
    const file = await store(owner)
    const failing = db
      .insert(accounts)
      .values({ id: owner.accountId, username: '', nickname: '', password: '', ramDomain: '', createdAt: 0 })
    await expect(db.batch([file.insert, failing])).rejects.toThrow('UNIQUE constraint failed: accounts.id')
    expect(await selectFile(file.key)).toBeUndefined()
    await sweepPart(file.key, Date.now() + 25 * HOUR_MS)
    expect(await headObject(file.key)).toBeNull()
  })
})

describe('design 5 · GET file/content', () => {
  const address = async (caller: Caller, key: string, now?: number) =>
    signedFileAddress(createContext(caller, now), key)
  /** The observable parts of a response. */
  const answer = async (path: string) => {
    const response = await request(path)
    const { request_id: _, ...body } = await response.json<{ request_id: string }>()
    return { status: response.status, body, type: response.headers.get('content-type') }
  }

  it('serves an image inline, sandboxed', async () => {
    const { key } = await stored(owner)
    const response = await request(await address(owner, key))
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': "inline; filename*=UTF-8''%E6%88%AA%E5%9B%BE.png",
    })
    const [, seconds = ''] = /^private, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThan(590)
    expect(Number(seconds)).toBeLessThanOrEqual(600)
    expect(response.headers.get('x-db-trips')).toBe('1')
  })
  it('serves other types as attachments', async () => {
    const bytes = new Uint8Array(Buffer.from('日志'))
    const { key } = await stored(owner, { bytes, name: "it's (1).log", purpose: 'ticket_file' })
    const { headers } = await request(await address(owner, key))
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''it%27s%20%281%29.log")
  })
  it('answers expired, altered, foreign and lost ones like unknown ones', async () => {
    const { key } = await stored(owner)
    const other = await stored(stranger)
    const lost = await stored(owner)
    await env.FILES.delete(objectName(lost.key))
    const good = await address(owner, key)
    const query = Object.fromEntries(new URL(good, 'http://x').searchParams)
    const path = (over: Record<string, string>) => `/api/v1/file/content?${new URLSearchParams({ ...query, ...over })}`
    const now = Date.now()
    const unknown = await answer(path({ key: '0'.repeat(32) }))
    expect(unknown).toMatchObject({ status: 200, body: { ...refusal('FILE_NOT_FOUND'), data: null } })
    const bad = {
      'expired a moment ago': await address(owner, key, now - FILE.addressMinutes * MINUTE_MS - 1),
      'good for longer than any': await address(owner, key, now + HOUR_MS),
      'a later expiry': path({ expires: String(Number(query['expires']) + 1000) }),
      'an expiry spelled another way': path({ expires: `${query['expires']}.0` }),
      'an altered signature': path({
        sign: `${query['sign']!.slice(0, -1)}${query['sign']!.endsWith('A') ? 'B' : 'A'}`,
      }),
      'no signature': path({ sign: '' }),
      'the signature of another file': path({ key: other.key }),
      'signed by another tenant': await address(stranger, key),
      'lost in R2': await address(owner, lost.key),
      'nothing at all': '/api/v1/file/content',
      'a path as key': path({ key: `../${key}` }),
    }
    for (const [what, at] of Object.entries(bad)) expect({ what, ...(await answer(at)) }).toEqual({ what, ...unknown })
  })
  it('an old address does not open a file that moved to another account', async () => {
    const { key } = await stored(owner)
    const old = await address(owner, key)
    await db.update(files).set({ accountId: stranger.accountId }).where(eq(files.key, key))
    expect(await answer(old)).toMatchObject({ body: refusal('FILE_NOT_FOUND') })
  })
})

describe('design 5 · attachFiles', () => {
  it('attaches unattached files of the account and purpose, each once', async () => {
    const [mine, second] = [await stored(owner), await stored(owner)]
    const foreign = await stored(stranger)
    const keys = [mine.key, foreign.key]
    const attach = (purpose: string) => attachFiles(db, owner.accountId, purpose, keys, 'ticket:T1')
    expect(await attach('ldap_ca')).toEqual([])
    expect(await attach('ticket_image')).toEqual([{ key: mine.key }])
    expect(await attach('ticket_image')).toEqual([])
    expect(await selectFile(mine.key)).toMatchObject({ attachedTo: 'ticket:T1' })
    for (const { key } of [second, foreign]) expect(await selectFile(key)).toMatchObject({ attachedTo: null })
  })
})

/** The minute at or after `from` whose run looks at this key's part of the bucket. */
async function sweepPart(key: string, from: number): Promise<void> {
  const minute = Math.floor(from / MINUTE_MS)
  const wait = (Number.parseInt(key.slice(0, 2), 16) - (minute % 256) + 256) % 256
  await deleteOrphanFiles(db, env.FILES, (minute + wait) * MINUTE_MS)
}

describe('design 5 · deleteOrphanFiles', () => {
  const exists = async (key: string) => [(await selectFile(key)) !== undefined, (await headObject(key)) !== null]

  it('deletes uploads that nothing was attached to within a day, and nothing else', async () => {
    const now = Date.now()
    const [fresh, old, held] = [
      await stored(owner, {}, now - 23 * HOUR_MS),
      await stored(owner, {}, now - 25 * HOUR_MS),
      await stored(owner, {}, now - 25 * HOUR_MS),
    ]
    await attachFiles(db, owner.accountId, 'ticket_image', [held.key], 'ticket:T2')
    await deleteOrphanFiles(db, env.FILES, now)
    expect([await exists(fresh.key), await exists(old.key), await exists(held.key)]).toEqual([
      [true, true],
      [false, false],
      [true, true],
    ])
  })
  it('deletes objects without a row a day after their upload, not before; those with a row are kept', async () => {
    const held = await stored(owner)
    await attachFiles(db, owner.accountId, 'ticket_image', [held.key], 'ticket:T3')
    const orphan = `${held.key.slice(0, 2)}${'e'.repeat(30)}`
    await env.FILES.put(objectName(orphan), PNG)
    await sweepPart(orphan, Date.now())
    expect(await exists(orphan)).toEqual([false, true])
    await sweepPart(orphan, Date.now() + 25 * HOUR_MS)
    expect(await exists(orphan)).toEqual([false, false])
    expect(await exists(held.key)).toEqual([true, true])
  })
  it('covers the whole bucket within 256 minutes', () => {
    const from = Date.now()
    const parts = Array.from({ length: 256 }, (_, minute) => sweptPart(from + minute * MINUTE_MS))
    expect(new Set(parts).size).toBe(256)
    expect(parts.filter((part) => !/^[0-9a-f]{2}$/.test(part))).toEqual([])
  })
  it('reads all pages of its part', async () => {
    const held = await stored(owner)
    const names = [...Array.from({ length: 25 }, (_, i) => objectName(`${i}${'d'.repeat(30)}`)), objectName(held.key)]
    const deleted: string[] = []
    const bucket = {
      list: async ({ cursor = '0', prefix = '' }: R2ListOptions) => {
        if (!prefix.startsWith('files/')) return { objects: [], truncated: false }
        const objects = names.slice(Number(cursor), Number(cursor) + 10).map((key) => ({ key, uploaded: new Date(0) }))
        const next = Number(cursor) + 10
        return next < names.length ? { objects, truncated: true, cursor: String(next) } : { objects, truncated: false }
      },
      delete: async (keys: string[]) => void deleted.push(...keys),
    } as unknown as R2Bucket
    await deleteOrphanFiles(db, bucket, Date.now())
    expect(deleted.filter((name) => names.includes(name))).toEqual(names.slice(0, 25))
  })
  it('deletes objects of a deleted account', async () => {
    const gone = await createMainAccount()
    const { key } = await stored(gone)
    await db.delete(accounts).where(eq(accounts.id, gone.accountId))
    await sweepPart(key, Date.now() + 25 * HOUR_MS)
    expect(await exists(key)).toEqual([false, false])
  })
})
