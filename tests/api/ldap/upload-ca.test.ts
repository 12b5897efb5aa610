import { eq } from 'drizzle-orm'
import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { FILE } from '#contract/file/limits.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { LDAP, DIRECTORY } from '#contract/ldap/limits.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { files } from '#db/schema/files.ts'
import { deleteOrphanFiles } from '#features/file/orphans.ts'
import { objectName } from '#domain/file/upload.ts'
import { parsePem } from '#outside/ldap/certificate-file.ts'
import { DAY_MS, ecKey, issueCertificate, keyPem } from '#tests/support/directory/certificates.ts'
import { FORM, createCompany, worker } from '#tests/support/directory-company.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

const NOW = Date.now()
const key = ecKey()
const issue = (name: string, until = NOW + 90 * DAY_MS) =>
  issueCertificate({ name, key, isCa: true, from: NOW - 900 * DAY_MS, until })
const [root, other, old] = [issue('企业根证书'), issue('Second', NOW + 30 * DAY_MS), issue('Old', NOW - DAY_MS)]

const file = (body: string | Buffer, name = 'ca.crt') => ({
  file: new File([typeof body === 'string' ? body : new Uint8Array(body)], name),
})
/** Times of certificates are whole seconds. */
const toSecond = (time: number) => Math.floor(time / 1000) * 1000
const rowsOf = (accountId: number) => db.select().from(files).where(eq(files.accountId, accountId))
const readObject = async (caId: string) => (await env.FILES.get(objectName(caId)))?.text()
const countObjects = async () => (await env.FILES.list({ prefix: 'files/' })).objects.length

describe('directory 5 · ldap/upload_ca takes', () => {
  it.each<[string, string | Buffer, string, string, number, number]>([
    ['PEM', root.pem, 'ca.pem', '企业根证书', 1, NOW + 90 * DAY_MS],
    ['DER, as Windows exports it', root.der, 'ca.cer', '企业根证书', 1, NOW + 90 * DAY_MS],
    ['several, and shows the earliest end', root.pem + other.pem, 'ca.cert', '企业根证书', 2, NOW + 30 * DAY_MS],
    ['an expired one beside a good one', root.pem + old.pem, 'ca.crt', '企业根证书', 2, NOW - DAY_MS],
  ])('%s', async (_, body, name, subject, count, until) => {
    const main = await createMainAccount()
    const { code, data, msg } = await worker.call(ldapApi.uploadCa, file(body, name), main.token)
    expect({ code, data, msg }).toEqual({
      code: 200,
      msg: '上传成功！',
      data: { ca_id: expect.stringMatching(/^[0-9a-f]{32}$/), file_name: name, subject, expire_time: toSecond(until) },
    })
    expect(parsePem((await readObject(data.ca_id)) ?? '')).toHaveLength(count)
    expect(await rowsOf(main.accountId)).toMatchObject([{ key: data.ca_id, purpose: 'ldap_ca', type: 'pem', name }])
    const audits = await db.select().from(auditLogs).where(eq(auditLogs.accountId, main.accountId))
    expect(audits).toMatchObject([{ module: 'ldap', action: 'upload_ca', target: name }])
  })
})

describe('directory 5 · ldap/upload_ca stores nothing of', () => {
  const derKey = key.privateKey.export({ type: 'pkcs8', format: 'der' })

  it.each<[string, string | Buffer, ErrorKey]>([
    ['what is no certificate', 'x', 'LDAP_CA_NOT_CERTIFICATE'],
    ['an empty file', '', 'LDAP_CA_NOT_CERTIFICATE'],
    ['half a certificate', root.der.subarray(0, 200), 'LDAP_CA_NOT_CERTIFICATE'],
    ['a private key', keyPem(key), 'LDAP_CA_PRIVATE_KEY'],
    ['a certificate with its key', root.pem + keyPem(key), 'LDAP_CA_PRIVATE_KEY'],
    ['a private key in DER', derKey, 'LDAP_CA_PRIVATE_KEY'],
    ['an expired certificate', old.pem, 'LDAP_CA_FILE_EXPIRED'],
    ['too many certificates', root.pem.repeat(DIRECTORY.anchors + 1), 'LDAP_CA_TOO_MANY'],
  ])('%s', async (_, body, reason) => {
    const main = await createMainAccount()
    const before = await countObjects()
    expect(await worker.call(ldapApi.uploadCa, file(body), main.token)).toMatchObject(refusal(reason))
    expect([await rowsOf(main.accountId), await countObjects()]).toEqual([[], before])
  })

  it.each([
    ['选择的文件中包含不支持的格式', file(root.pem, 'ca.txt')],
    ['选择的文件中包含不支持的格式', file(root.pem, 'ca')],
    ['文件大小不能超过 2MB!', file('x'.repeat(2_097_153))],
  ])('%s', async (msg, input) => {
    const main = await createMainAccount()
    const before = await countObjects()
    expect(await worker.call(ldapApi.uploadCa, input, main.token)).toMatchObject({ code: 422, msg })
    expect([await rowsOf(main.accountId), await countObjects()]).toEqual([[], before])
  })
})

describe('directory 5 · an uploaded CA', () => {
  const WITH_CA = { ...FORM, public_ca: 0 } as const
  const sweep = (hours: number) => deleteOrphanFiles(db, env.FILES, Date.now() + hours * 3_600_000)

  it('of another account cannot be used', async () => {
    const { call } = await createCompany()
    const stranger = await createMainAccount()
    const { data } = await worker.call(ldapApi.uploadCa, file(root.pem), stranger.token)
    const form = { ...WITH_CA, ca_id: data.ca_id }
    expect(await call(ldapApi.check, form)).toMatchObject(refusal('LDAP_CA_REQUIRED'))
    expect(await call(ldapApi.save, form)).toMatchObject(refusal('LDAP_CA_REQUIRED'))
  })

  it('is kept while the configuration uses it; others go a day after their upload', async () => {
    const { call, save, accountId } = await createCompany()
    const upload = async () => (await call(ldapApi.uploadCa, file(root.pem))).data.ca_id
    const [used, unused] = [await upload(), await upload()]
    expect((await save({ public_ca: 0, ca_id: used })).code).toBe(200)
    await sweep(FILE.unattachedHours - 1)
    expect(await rowsOf(accountId)).toHaveLength(2)
    await sweep(FILE.unattachedHours + 1)
    expect(await rowsOf(accountId)).toMatchObject([{ key: used }])
    expect([await readObject(used), await readObject(unused)]).toEqual([expect.any(String), undefined])
    expect((await call(ldapApi.config, {})).data).toMatchObject({ ca_id: used, file_name: 'ca.crt' })
    const next = await upload()
    expect((await save({ public_ca: 0, ca_id: next })).code).toBe(200)
    await sweep(FILE.unattachedHours + 1)
    expect(await rowsOf(accountId)).toMatchObject([{ key: next }])
    expect(await readObject(used)).toBeUndefined()
  })

  it('goes a day after the closing, as long as that can be undone, and is kept again once it was', async () => {
    const { call, save, run, accountId } = await createCompany()
    const { ca_id } = (await call(ldapApi.uploadCa, file(root.pem))).data
    await save({ public_ca: 0, ca_id })
    await run()
    await db
      .update(files)
      .set({ createdAt: NOW - 30 * DAY_MS })
      .where(eq(files.key, ca_id))
    expect((await call(ldapApi.delete, {})).code).toBe(200)
    await sweep(LDAP.undoMs / 3_600_000 - 1)
    expect(await readObject(ca_id)).toContain('CERTIFICATE')
    const { data } = await call(ldapApi.runs, {})
    expect((await call(ldapApi.undo, { id: data[0]!.id })).code).toBe(200)
    await sweep(FILE.unattachedHours + 1)
    expect((await call(ldapApi.config, {})).data).toMatchObject({ ca_id, file_name: 'ca.crt' })
    expect((await call(ldapApi.delete, {})).code).toBe(200)
    await sweep(FILE.unattachedHours + 1)
    expect([await rowsOf(accountId), await readObject(ca_id)]).toEqual([[], undefined])
  })
})
