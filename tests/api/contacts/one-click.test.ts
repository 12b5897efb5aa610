import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { contactsApi } from '#contract/contacts/index.ts'
import { UNSUBSCRIBE_PATH } from '#domain/contacts/messages.ts'
import { signUnsubscribe } from '#security/signed-links.ts'
import { contactRow, createVerifiedContact } from '#tests/support/contacts.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { call, hubCalls, request } from '#tests/support/test-worker.ts'

const tokenOf = async (uuid: string) => {
  const { accountId, email } = await contactRow(uuid)
  return signUnsubscribe(env.HMAC_SECRET, { accountId, uuid, email })
}

describe('account 2 · List-Unsubscribe-Post of an alert mail (RFC 8058)', () => {
  const FORM = 'application/x-www-form-urlencoded'
  /** Request of a mailbox provider, from its own servers: no cookie, no Origin. */
  async function press(s: string, over: RequestInit & { headers?: Record<string, string> } = {}) {
    const response = await request(`${UNSUBSCRIBE_PATH}?s=${s}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': FORM },
      ...over,
    })
    const { code, msg } = await response.json<{ code: number; msg: string }>()
    return { status: response.status, code, msg, location: response.headers.get('location') }
  }
  const DONE = { status: 200, code: 200, msg: '已退订', location: null }

  it.each(['urlencoded', 'multipart'] as const)('ends the authorization, once and again (%s)', async (kind) => {
    const main = await createMainAccount()
    const { uuid } = await createVerifiedContact(main)
    const token = await tokenOf(uuid)
    const since = hubCalls.length
    const body = new FormData()
    body.set('List-Unsubscribe', 'One-Click')
    const sent = kind === 'multipart' ? { body, headers: {} } : {}
    for (let i = 0; i < 2; i++) expect(await press(token, sent)).toEqual(DONE)
    expect((await contactRow(uuid)).verifiedAt).toBeNull()
    expect((await selectAudit(main.accountId)).filter(({ action }) => action === 'unsubscribe')).toHaveLength(1)
    const refreshed = hubCalls.slice(since).filter(({ hub, method }) => hub === main.hub && method === 'refresh')
    expect(refreshed).toHaveLength(1)
  })

  it('only a POST that asks for it acts: no other method, no other body, no page of another site', async () => {
    const main = await createMainAccount()
    const { uuid } = await createVerifiedContact(main)
    const token = await tokenOf(uuid)
    const address = `${UNSUBSCRIBE_PATH}?s=${token}`
    for (const method of ['HEAD', 'GET', 'OPTIONS', 'PUT']) await request(address, { method })
    expect((await press(token, { body: '' })).code).toBe(422)
    expect((await press(token, { body: 'List-Unsubscribe=No' })).code).toBe(422)
    expect((await press(token, { headers: { 'content-type': 'application/json' } })).code).toBe(422)
    expect((await press(token, { headers: { 'content-type': 'multipart/form-data' } })).code).toBe(422)
    const foreign = { 'content-type': FORM, origin: 'https://evil.example' }
    expect((await press(token, { headers: foreign })).code).toBe(403)
    expect((await contactRow(uuid)).verifiedAt).not.toBeNull()
  })

  it('a link of nobody answers as the button of the page does', async () => {
    const { code, msg } = await call(contactsApi.unsubscribe, { s: 'x.y' })
    for (const s of ['x.y', '', 'x'.repeat(5_000)])
      expect(await press(s)).toMatchObject({ status: 200, code, msg, location: null })
  })
})
