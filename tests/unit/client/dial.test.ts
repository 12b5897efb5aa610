import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { DIAL_RETRY } from '#contract/client/limits.ts'
import { checkToken, dialRetryS, isDialAllowed, type DialMember } from '#domain/client/dial.ts'
import { createDialToken, isDialToken, readDialToken } from '#security/dial-token.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NOW = 1_800_000_000_000
const claims = { memberId: 7, credentialVersion: 2, networkNumber: 'NW1', expiresAt: NOW + 60_000, profileId: null }
const account = { id: 7, credential_version: 2 }
const member: DialMember = {
  status: 1,
  accountStatus: 1,
  softwareQuota: 10,
  credentialVersion: 2,
  isInNetwork: true,
}

describe('dial token', () => {
  it('is read as it was made, and fits into the password of OpenVPN', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          memberId: fc.integer({ min: 1, max: 2 ** 48 }),
          credentialVersion: fc.nat(1_000),
          networkNumber: fc.stringMatching(/^[\w-]{1,32}$/),
          expiresAt: fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
          profileId: fc.option(fc.integer({ min: 1, max: 999_999_999_999 })),
        }),
        async (made) => {
          const token = await createDialToken('secret', made)
          expect(token.length).toBeLessThanOrEqual(128)
          expect(isDialToken(token)).toBe(true)
          expect(await readDialToken('secret', token)).toEqual(made)
          expect(await readDialToken('another secret', token)).toBeNull()
        },
      ),
      { numRuns: 200 },
    )
  })

  it('with any other character is none', async () => {
    const token = await createDialToken('secret', claims)
    const changed = Array.from(token, (one, i) => `${token.slice(0, i)}${one === '1' ? '2' : '1'}${token.slice(i + 1)}`)
    const read = await Promise.all(changed.map((text) => readDialToken('secret', text)))
    expect(read.filter((one) => one !== null)).toEqual([])
  })

  it('fits with the longest numbers, too', async () => {
    const longest = {
      memberId: 999_999_999_999_999,
      credentialVersion: 999_999_999,
      networkNumber: 'N'.repeat(32),
      expiresAt: 99_999_999_999_000,
      profileId: 999_999_999_999,
    }
    const token = await createDialToken('secret', longest)
    expect(token.length).toBeLessThanOrEqual(128)
    expect(await readDialToken('secret', token)).toEqual(longest)
  })

  it('of a profile is none of another profile, or of none', async () => {
    const [id = '', mac = ''] = (await createDialToken('secret', { ...claims, profileId: 9 })).split('.')
    for (const other of [id.replace(/~9$/, '~8'), id.replace(/~9$/, '')])
      expect(await readDialToken('secret', `${other}.${mac}`)).toBeNull()
  })

  it('has a form that no password has', () => {
    const others = ['', 'Weilai26', 'a.b', '7~2~NW1~1.x', 'SESS_ID_AT_abcdef', '7~2~NW1~1800000000']
    expect(others.filter(isDialToken)).toEqual([])
  })
})

describe('a dial', () => {
  it('is allowed while token and document agree', async () => {
    const refused: readonly [string, Parameters<typeof isDialAllowed>][] = [
      ['no account', [claims, null, 'NW1', NOW]],
      ['another member', [claims, { ...account, id: 8 }, 'NW1', NOW]],
      ['a password set since', [claims, { ...account, credential_version: 3 }, 'NW1', NOW]],
      ['another network', [claims, account, 'NW2', NOW]],
      ['at its end', [claims, account, 'NW1', claims.expiresAt]],
    ]
    expect(isDialAllowed(claims, account, 'NW1', claims.expiresAt - 1)).toBe(true)
    expect(refused.filter(([, of]) => isDialAllowed(...of)).map(([name]) => name)).toEqual([])
  })

  it('that a token of ours does not allow is refused with its own reason', async () => {
    const cases: readonly [string, Parameters<typeof checkToken>][] = [
      ['DIAL_TOKEN_REVOKED', [claims, null, 'NW1', NOW]],
      ['MEMBER_ACCOUNT_DISABLED', [claims, { ...member, accountStatus: 0 }, 'NW1', NOW]],
      ['MEMBER_DISABLED', [claims, { ...member, status: 0 }, 'NW1', NOW]],
      ['MEMBER_SERVICE_EXPIRED', [claims, { ...member, softwareQuota: 0 }, 'NW1', NOW]],
      ['DIAL_TOKEN_REVOKED', [claims, { ...member, credentialVersion: 3 }, 'NW1', NOW]],
      ['DIAL_NOT_MEMBER', [claims, member, 'NW2', NOW]],
      ['DIAL_NOT_MEMBER', [claims, { ...member, isInNetwork: false }, 'NW1', NOW]],
      ['DIAL_TOKEN_EXPIRED', [claims, member, 'NW1', claims.expiresAt]],
      ['DIAL_PENDING', [claims, member, 'NW1', NOW]],
    ]
    const offenders = await findOffenders(cases)((key, of) => expect(checkToken(...of).key).toBe(key))
    expect(offenders).toEqual([])
  })
})

describe('a refused dial', () => {
  /** Seconds of the first and the last of many clients that are refused together; null: it is over. */
  const SECONDS: readonly [string, readonly [number, number] | null][] = [
    ['DIAL_PENDING', [3, 5]],
    ['DIAL_AWAY', [10, 15]],
    ['DIAL_BUSY', [15, 25]],
    ['DIAL_NOT_READY', null],
    ['DIAL_PASSWORD', null],
    ['DIAL_TOKEN_WRONG', null],
    ['DIAL_TOKEN_EXPIRED', null],
    ['DIAL_TOKEN_REVOKED', null],
    ['DIAL_PROFILE_OVER', null],
    ['DIAL_NOT_MEMBER', null],
    ['DIAL_PAUSED', null], // whoever guesses is not asked to go on
    ['MEMBER_DISABLED', null],
    ['MEMBER_ACCOUNT_DISABLED', null],
    ['MEMBER_SERVICE_EXPIRED', null],
    ['', null], // an earlier hub names no cause
    ['constructor', null],
  ]
  const clients = Array.from({ length: 100 }, (_, n) => n)

  it.each(SECONDS)('because of %s is tried again after %j seconds', (cause, seconds) => {
    const all = clients.map((n) => dialRetryS(cause, n) ?? -1)
    expect([Math.min(...all), Math.max(...all)]).toEqual(seconds ?? [-1, -1])
  })

  it('is in that table whatever its cause', () => {
    const known = new Set(SECONDS.map(([cause]) => cause))
    expect(Object.keys(CLIENT_ERRORS).filter((key) => key.startsWith('DIAL_') && !known.has(key))).toEqual([])
  })

  it('comes back in no second with more than its share of all', () => {
    const { from, to } = DIAL_RETRY.awayS
    const inSecond = Map.groupBy(clients, (n) => dialRetryS('DIAL_AWAY', n))
    expect(Math.max(...[...inSecond.values()].map((each) => each.length))).toBe(Math.ceil(100 / (to - from + 1)))
  })
})
