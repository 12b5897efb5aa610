import { env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { contactsApi } from '#contract/contacts/index.ts'
import { CONTACT } from '#contract/contacts/limits.ts'
import { signUnsubscribe } from '#security/signed-links.ts'
import { contactRow, createContact, createVerifiedContact, lastSecret } from '#tests/support/contacts.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { TEXT, ask } from '#tests/support/strangers.ts'

/** Links that a stranger may invent, beside spellings of a real one. */
const MADE_UP: readonly unknown[] = [
  '',
  ' ',
  'x',
  '0'.repeat(32),
  'A'.repeat(43),
  'x'.repeat(200),
  'x'.repeat(10_000),
  'null',
  '../../x',
  "' or 1=1 --",
  '%00',
  '\0',
  '\uD800',
  null,
  0,
  true,
  [],
  ['x'],
  {},
  { $gt: '' },
  undefined,
]
/** Forms of a secret after mail programs or manual typing have altered it. */
const spellingsOf = (secret: string) =>
  [
    ...TEXT.slice(1).map((spell) => spell(secret)),
    secret.toLowerCase(),
    secret.slice(0, -1),
    `${secret}=`,
    `${secret}x`,
    `${secret}\n`,
    encodeURIComponent(`${secret} `),
    [...secret].toReversed().join(''),
  ].filter((spelled) => spelled !== secret)

type Link = typeof contactsApi.validateEmail | typeof contactsApi.unsubscribe
const open = async (spec: Link, s: unknown) => (await ask({ ip: nextAddress(), uniqid: '' }, spec, { s } as never)).line

async function expectAllAlike(spec: Link, secrets: readonly unknown[]): Promise<void> {
  const nobody = await open(spec, 'nobody')
  expect(nobody).toContain('_LINK_BAD"')
  for (const secret of secrets) expect([secret, await open(spec, secret)]).toEqual([secret, nobody])
}

describe('account 7 · a link that is none answers byte for byte as one that nobody was sent', () => {
  it('contacts/validate_email: made up, spelled otherwise, of a deleted contact, of an address before, too old', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const main = await createMainAccount()
    const [good, deleted, edited] = [await createContact(main), await createContact(main), await createContact(main)]
    const [secret, gone, before] = [
      await lastSecret(good.email),
      await lastSecret(deleted.email),
      await lastSecret(edited.email),
    ]
    await main.call(contactsApi.delete, { uuid: deleted.uuid })
    await main.call(contactsApi.edit, { ...edited, email: `new.${edited.email}` })
    await expectAllAlike(contactsApi.validateEmail, [...MADE_UP, ...spellingsOf(secret), gone, before])
    expect((await contactRow(good.uuid)).verifiedAt).toBeNull()
    vi.setSystemTime(now + CONTACT.linkHours * 3_600_000)
    await expectAllAlike(contactsApi.validateEmail, [secret, ...spellingsOf(secret)])
  })

  it('contacts/unsubscribe: made up, spelled otherwise, of a deleted contact, of an address before, signed by others', async () => {
    const main = await createMainAccount()
    const [good, deleted] = [await createVerifiedContact(main), await createVerifiedContact(main)]
    const sign = async (uuid: string, over: { email?: string; accountId?: number } = {}, key = env.HMAC_SECRET) => {
      const { accountId, email } = await contactRow(uuid)
      return signUnsubscribe(key, { accountId, uuid, email, ...over })
    }
    const other = await createMainAccount()
    const bad = [
      await sign(deleted.uuid),
      await sign(good.uuid, { email: `old.${good.email}` }),
      await sign(good.uuid, { accountId: other.accountId }),
      await sign(good.uuid, {}, 'x'.repeat(32)),
    ]
    await main.call(contactsApi.delete, { uuid: deleted.uuid })
    const secret = await sign(good.uuid)
    await expectAllAlike(contactsApi.unsubscribe, [...MADE_UP, ...bad, ...spellingsOf(secret)])
    expect((await contactRow(good.uuid)).verifiedAt).not.toBeNull()
  })
})
