import { env } from 'cloudflare:test'
import { SignJWT, UnsecuredJWT, base64url, exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { signAccessToken } from '#security/tokens.ts'
import { readCookie, signIn } from '#tests/support/identity.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, call, refusal } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const [KID = '', KEY] = env.JWT_KEYS.split(':')
const SECRET = new TextEncoder().encode(KEY)
const FOREIGN = new TextEncoder().encode('x'.repeat(32))
const { session } = await createMainAccount()
const seconds = Math.floor(Date.now() / 1000)

const good = {
  iss: 'netloom',
  aud: 'netloom-api',
  sub: String(session.accountId),
  iat: seconds,
  exp: seconds + 600,
  sid: session.id,
  sv: 1,
  ram: null,
  name: session.username,
  flags: [],
  nets: null,
}
const header = { alg: 'HS256', typ: 'at+jwt', kid: KID }

const token = (claims: object = {}, head: object = {}, key: Uint8Array = SECRET) =>
  new SignJWT({ ...good, ...claims }).setProtectedHeader({ ...header, ...head }).sign(key)

/** Builds a JWT from raw parts that a library would refuse to sign. */
async function forged(head: object, claims: object = {}): Promise<string> {
  const [, , signature] = (await token()).split('.')
  return [head, { ...good, ...claims }]
    .map((part) => base64url.encode(JSON.stringify(part)))
    .concat(signature!)
    .join('.')
}

const without = (name: keyof typeof good) => ({ [name]: undefined })
const ask = (bearer: string) => call(networkApi.config, {}, { headers: { authorization: `Bearer ${bearer}` } })

it('the token that the corpus is derived from is accepted', async () => {
  expect(await ask(await token())).toMatchObject({ code: 200 })
})

describe('design 6 · access token · malformed tokens are refused', () => {
  it('each forgery is refused as a bad token', async () => {
    const offenders = await findOffenders<[string, () => Promise<string>]>([
      ['garbage', async () => 'garbage'],
      ['three dots', async () => '...'],
      ['empty parts', async () => '..'],
      ['alg none', async () => new UnsecuredJWT(good).encode()],
      ['alg none with a signature', () => forged({ ...header, alg: 'none' })],
      ['alg NONE', () => forged({ ...header, alg: 'NONE' })],
      ['alg HS384 over the same key', () => token({}, { alg: 'HS384' })],
      ['alg HS512 over the same key', () => token({}, { alg: 'HS512' })],
      ['alg RS256 in the header', () => forged({ ...header, alg: 'RS256' })],
      ['no alg', () => forged({ typ: 'at+jwt', kid: KID })],
      ['a foreign key', () => token({}, {}, FOREIGN)],
      ['an empty signature', async () => (await token()).replace(/[^.]*$/, '')],
      ['a cut signature', async () => (await token()).slice(0, -4)],
      ['another payload under the signature', () => forged(header, { sub: '999999' })],
      ['no kid', () => token({}, { kid: undefined })],
      ['an unknown kid', () => token({}, { kid: 'other' })],
      ['an empty kid', () => token({}, { kid: '' })],
      ['a kid that is a path', () => token({}, { kid: '../../dev/null' })],
      ['a kid that is SQL', () => token({}, { kid: "' union select 'x" })],
      ['a kid that is __proto__', () => token({}, { kid: '__proto__' })],
      ['a kid that is no text', () => token({}, { kid: 0 })],
      ['a key of its own (jwk)', ownKey],
      ['a key elsewhere (jku)', () => token({}, { kid: 'mine', jku: 'https://evil.example/keys' }, FOREIGN)],
      ['a certificate elsewhere (x5u)', () => token({}, { kid: 'mine', x5u: 'https://evil.example/cert' }, FOREIGN)],
      ['a critical extension nobody knows', () => forged({ ...header, crit: ['b64x'], b64x: true })],
      ['another typ', () => token({}, { typ: 'JWT' })],
      ['no typ', () => token({}, { typ: undefined })],
      ['the typ of a refresh token', () => token({}, { typ: 'rt+jwt' })],
      ['another audience', () => token({ aud: 'netloom-socket' })],
      ['the audience of devices', () => token({ aud: 'netloom-device' })],
      ['no audience', () => token(without('aud'))],
      ['another issuer', () => token({ iss: 'evil' })],
      ['no issuer', () => token(without('iss'))],
      ['not yet valid', () => token({ nbf: seconds + 600 })],
      ['an expiry that is text', () => forged(header, { exp: 'never' })],
      ['no session', () => token(without('sid'))],
      ['no version', () => token(without('sv'))],
      ['a version that is text', () => token({ sv: '1' })],
      ['an unknown flag', () => token({ flags: ['root'] })],
      ['no subject', () => token(without('sub'))],
      ['networks that are no list', () => token({ nets: 'all' })],
    ])(async (_, make) => {
      expect(await ask(await make())).toMatchObject(refusal('TOKEN_BAD'))
    })
    expect(offenders).toEqual([])
  })

  async function ownKey(): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = await exportJWK(publicKey)
    return new SignJWT(good).setProtectedHeader({ ...header, alg: 'EdDSA', jwk }).sign(privateKey)
  }

  it('a refresh token as bearer', async () => {
    const { username } = await createMainAccount()
    const refreshToken = readCookie(await signIn(username)).split('=')[1]!
    expect(await ask(refreshToken)).toMatchObject(refusal('TOKEN_BAD'))
  })

  it('an access token as refresh cookie', async () => {
    const cookie = `netloom_refresh=${await token()}`
    expect((await call(loginApi.refresh, {}, { cookie })).code).toBeGreaterThanOrEqual(2000)
  })

  it('a bearer in the cookie, or none', async () => {
    expect(await call(networkApi.config, {}, { cookie: `access_token=${await token()}` })).toMatchObject(
      refusal('TOKEN_BAD'),
    )
    expect(await call(networkApi.config, {})).toMatchObject(refusal('TOKEN_BAD'))
  })
})

describe('design 6 · access token · refused with a reason', () => {
  it('an expired token is refused as expired, so that the console refreshes', async () => {
    expect(await ask(await token({ exp: seconds - 1 }))).toMatchObject({
      ...refusal('TOKEN_EXPIRED'),
      msg: '登录已过期，请重新登录!',
    })
  })

  it.each([
    ['of a session nobody opened', { sid: 'nobody' }],
    ['of an older version', { sv: 0 }],
    ['of a version to come', { sv: 2 }],
  ])('a token %s', async (_, claims) => {
    expect((await ask(await token(claims))).code).toBe(refusal('SESSION_REVOKED').code)
  })
})

describe('design 6 · keys', () => {
  it('verifies with every key of the list and signs with the first', async () => {
    const keys = `next:${'n'.repeat(32)},${env.JWT_KEYS}`
    const { call: rotated } = createTestWorker({ env: { JWT_KEYS: keys } })
    for (const bearer of [await token(), await signAccessToken(keys, session, Date.now())]) {
      expect((await rotated(networkApi.config, {}, bearer)).code).toBe(200)
    }
    expect(await ask(await signAccessToken(keys, session, Date.now()))).toMatchObject(refusal('TOKEN_BAD'))
  })

  it('is a fault where a key is too short', async () => {
    const weak = createTestWorker({ env: { JWT_KEYS: 'k:short' } })
    expect(await weak.call(networkApi.config, {}, await token())).toMatchObject({ status: 500, ...refusal('FAULT') })
  })
})
