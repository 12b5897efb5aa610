import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { type Build, RELEASE, downloadApi } from '#contract/download/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { deleteOrphanFiles, sweptPart } from '#features/file/orphans.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { publish, sha256 } from '#tests/support/releases.ts'
import { call, createTestWorker, db, refusal, request } from '#tests/support/test-worker.ts'

const worker = createTestWorker()
const versions = async () => (await call(downloadApi.versions, {})).data
const objects = async () => (await env.FILES.list({ prefix: 'releases/' })).objects.length
let count = 0
/** Each test has versions of its own. */
const next = () => `3.${++count}.0`

describe('directory 2 · download/versions', () => {
  it('lists the newest build for each platform to everybody, in one round trip', async () => {
    const [first, second] = [next(), next()]
    await publish(worker, 'old', { version: first })
    const before = Date.now()
    const published = await publish(worker, 'new bytes', { version: second, notes: '修复：<b>断线</b>重连' })
    expect(published.code).toBe(200)
    const answer = await call(downloadApi.versions, {})
    expect(answer).toMatchObject({ code: 200, trips: 1 })
    expect(answer.data.windows).toMatchObject({
      version: second,
      name: 'client.msi',
      bytes: 9,
      sha256: sha256('new bytes'),
      notes: '修复：<b>断线</b>重连',
    })
    expect(answer.data.windows!.release_time).toBeGreaterThanOrEqual(before)
    expect(answer.data.iOS).toBeNull()
  })

  it('has an entry for linux by panel and distribution', async () => {
    const [all, own] = [next(), next()]
    await publish(worker, 'all', { platform: 'linux', panel: 'command', version: all, name: 'agent.mjs' })
    await publish(worker, 'rpm', {
      platform: 'linux',
      panel: 'panel',
      distribution: 'centos',
      version: own,
      name: 'panel.rpm',
    })
    const { linux } = await versions()
    expect(linux.command.centos?.version).toBe(all)
    expect(linux.command.uos?.version).toBe(all)
    expect([linux.panel.centos?.version, linux.panel.ubuntu]).toEqual([own, null])
  })
})

describe('directory 2 · the file', () => {
  const get = (src: string, headers: Readonly<Record<string, string>> = {}) => request(src, { headers })
  const publishBuild = async (bytes: string): Promise<Build> => {
    await publish(worker, bytes, { platform: 'macOS', name: 'client.dmg', version: next() })
    return (await versions()).macOS!
  }

  it('is the bytes that were published, saved under their name and never shown as a page', async () => {
    const { src, sha256: digest } = await publishBuild('0123456789')
    const response = await get(src)
    expect([response.status, await response.text()]).toEqual([200, '0123456789'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''client.dmg",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'accept-ranges': 'bytes',
      'cache-control': `public, max-age=${RELEASE.cacheSeconds}`,
      etag: `"${digest}"`,
    })
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('is opened by the installer of Android', async () => {
    await publish(worker, 'apk', { platform: 'android', name: 'client.apk', version: next() })
    const response = await get((await versions()).android!.src)
    expect(response.headers.get('content-type')).toBe('application/vnd.android.package-archive')
    await response.body?.cancel()
  })

  it('is resumed where a download was cut off, unless another build is there by now', async () => {
    const { src, sha256: digest } = await publishBuild('0123456789')
    const part = await get(src, { range: 'bytes=4-', 'if-range': `"${digest}"` })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 4-9/10', '456789'])
    const whole = await get(src, { range: 'bytes=4-', 'if-range': '"other"' })
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    const beyond = await get(src, { range: 'bytes=10-' })
    expect([beyond.status, beyond.headers.get('content-range'), await beyond.text()]).toEqual([416, 'bytes */10', ''])
  })

  it('is not sent again to whoever has it', async () => {
    const { src, sha256: digest } = await publishBuild('same')
    const response = await get(src, { 'if-none-match': `"${digest}"` })
    expect([response.status, await response.text()]).toEqual([304, ''])
  })

  it.each(['', 'x', '../files/0', '0'.repeat(32), `${'0'.repeat(32)}'`])('an address of nothing: %j', async (key) => {
    expect(await call(downloadApi.file, { key })).toMatchObject({ ...refusal('DOWNLOAD_GONE'), status: 404 })
  })
})

describe('design 1 · ops · release publish', () => {
  it('leaves an audit row', async () => {
    const version = next()
    await publish(worker, 'audited', { version })
    const [row] = await selectAudit(0)
    expect(row).toMatchObject({
      actorKind: 'operator',
      action: 'release/publish',
      target: `windows ${version}`,
      message: `运营发布安装包“windows ${version}”`,
    })
    expect(JSON.parse(row!.after!)).toEqual({ name: 'client.msi', bytes: 7, sha256: sha256('audited') })
  })

  it('stores nothing of bytes that are not those that were named', async () => {
    const before = await objects()
    const answer = await publish(worker, 'changed on the way', { version: next(), sha256: sha256('sent') })
    expect(answer).toMatchObject({ ...refusal('RELEASE_DIGEST'), data: { field: 'sha256' } })
    expect(await objects()).toBe(before)
  })

  it('stores nothing of an upload that is cut off', async () => {
    const [before, version] = [await objects(), next()]
    const { readable, writable } = new FixedLengthStream(8)
    const writer = writable.getWriter()
    const answer = publish(worker, 'half all', { version }, {}, readable)
    await writer.write(new TextEncoder().encode('half'))
    await writer.abort(new Error('gone'))
    expect((await answer).code).not.toBe(200)
    expect(await objects()).toBe(before)
    expect((await versions()).windows?.version).not.toBe(version)
  })

  it('refuses a version that is there, before it takes the bytes', async () => {
    const version = next()
    await publish(worker, 'first', { version })
    const before = await objects()
    expect(await publish(worker, 'second', { version })).toMatchObject(refusal('RELEASE_TAKEN', { version }))
    expect(await objects()).toBe(before)
    expect(await publish(worker, 'second', { version, platform: 'iOS', name: 'a.ipa' })).toMatchObject({ code: 200 })
  })

  it.each([
    ['without a length', 'abc', {}, { 'transfer-encoding': 'chunked' }, 422],
    ['of no bytes', '', {}, {}, 422],
    ['of more than the limit', 'abc', {}, { 'content-length': String(RELEASE.maxBytes + 1) }, 413],
    ['for a platform that does not install it', 'abc', { name: 'client.dmg' }, {}, 422],
    ['of linux without a panel', 'abc', { platform: 'linux', name: 'a.mjs' }, {}, 422],
    ['with a version that is none', 'abc', { version: 'latest' }, {}, 422],
    ['with a digest that is none', 'abc', { sha256: 'x' }, {}, 422],
  ] as const)('refuses a file %s', async (_, bytes, over, headers, code) => {
    const before = await objects()
    expect((await publish(worker, bytes, { version: next(), ...over }, headers)).code).toBe(code)
    expect(await objects()).toBe(before)
  })

  it('keeps of a name what a file may be called', async () => {
    await publish(worker, 'named', { version: next(), name: '../../etc/\u202Eevil<>.msi' })
    expect((await versions()).windows!.name).toBe('evil__.msi')
  })

  it('is the operator’s alone', async () => {
    const response = await request(`/ops/v1/${opsApi.publishRelease.path}`, { method: 'POST', body: 'x' })
    expect(await response.json()).toMatchObject(refusal('TOKEN_BAD'))
  })
})

describe('design 1 · ops · release lists, withdraw', () => {
  it('takes a build back: the one before is the newest again, and its file is gone', async () => {
    const [old, bad] = [next(), next()]
    await publish(worker, 'good', { platform: 'harmonyos', name: 'a.hap', version: old })
    const { data } = await publish(worker, 'bad', { platform: 'harmonyos', name: 'a.hap', version: bad })
    const before = await objects()
    expect((await call(opsApi.listReleases, {})).data[0]).toMatchObject({ id: data.id, version: bad, bytes: 3 })
    const { src } = (await versions()).harmonyos!
    const answer = await call(opsApi.withdrawRelease, { id: data.id })
    expect(answer).toMatchObject({ code: 200, msg: '删除成功' })
    expect((await versions()).harmonyos?.version).toBe(old)
    expect((await request(src)).status).toBe(404)
    expect(await objects()).toBe(before - 1)
    expect((await selectAudit(0))[0]).toMatchObject({ action: 'release/withdraw', target: `harmonyos ${bad}` })
    expect(await call(opsApi.withdrawRelease, { id: data.id })).toMatchObject(refusal('RELEASE_NOT_FOUND'))
  })
})

describe('design 5 · a publication that breaks off after its upload', () => {
  const HOUR_MS = 3_600_000
  it('leaves no object for longer than a day, and what is published stays', async () => {
    const { data } = await publish(worker, 'kept', { platform: 'iOS', name: 'client.ipa', version: next() })
    expect(data.id).toBeGreaterThan(0)
    const held = (await versions()).iOS!.src.split('key=')[1]!
    const orphan = `${held.slice(0, 2)}${'e'.repeat(30)}`
    await env.FILES.put(`releases/${orphan}`, 'no row')
    const isStored = async (key: string) => (await env.FILES.head(`releases/${key}`)) !== null
    const sweepAll = async (from: number) => {
      for (let minute = 0; minute < 256; minute++)
        if (sweptPart(from + minute * 60_000) === held.slice(0, 2))
          await deleteOrphanFiles(db, env.FILES, from + minute * 60_000)
    }
    await sweepAll(Date.now())
    expect([await isStored(held), await isStored(orphan)]).toEqual([true, true])
    await sweepAll(Date.now() + 25 * HOUR_MS)
    expect([await isStored(held), await isStored(orphan)]).toEqual([true, false])
  })
})
