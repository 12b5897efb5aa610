import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import type { Session } from '#contract/kernel/session.ts'
import { SESSION } from '#contract/login/limits.ts'
import { readAccessToken, signAccessToken } from '#security/tokens.ts'

const KEYS = `a:${'k'.repeat(32)}`
const OTHER_KEYS = `a:${'o'.repeat(32)}`
const NOW = 1_760_000_000_000
const EXPIRY = NOW + SESSION.accessMinutes * 60_000
const refusal = (key: string) => expect.objectContaining({ violation: expect.objectContaining({ key }) })

let count = 0
const createSession = (): Session => ({
  id: `session${count++}`,
  version: 3,
  accountId: 7,
  ramId: 5,
  username: 'branch@demo01',
  grants: { kind: 'ram', flags: [PERMISSIONS[0]], networks: ['N1'] },
})

describe('access token', () => {
  it('carries its session, read once or again', async () => {
    const session = createSession()
    const token = await signAccessToken(KEYS, session, NOW)
    for (const now of [NOW, NOW + 1, EXPIRY - 1]) expect(await readAccessToken(KEYS, token, now)).toEqual(session)
  })

  it('names the account’s hub, by which a copy of the database may answer', async () => {
    const session = { ...createSession(), hub: `default.${'a'.repeat(32)}` }
    expect(await readAccessToken(KEYS, await signAccessToken(KEYS, session, NOW), NOW)).toEqual(session)
  })

  it('expires also where it was verified before', async () => {
    const token = await signAccessToken(KEYS, createSession(), NOW)
    await readAccessToken(KEYS, token, NOW)
    await expect(readAccessToken(KEYS, token, EXPIRY)).rejects.toEqual(refusal('TOKEN_EXPIRED'))
  })

  it('is refused under other keys, and with a byte changed, where it was verified before', async () => {
    const token = await signAccessToken(KEYS, createSession(), NOW)
    await readAccessToken(KEYS, token, NOW)
    await expect(readAccessToken(OTHER_KEYS, token, NOW)).rejects.toEqual(refusal('TOKEN_BAD'))
    const changed = token.replace(/\.(.)/, (_, letter: string) => `.${letter === 'e' ? 'f' : 'e'}`)
    await expect(readAccessToken(KEYS, changed, NOW)).rejects.toEqual(refusal('TOKEN_BAD'))
  })

  it('is read, whoever else signed in meanwhile', async () => {
    const session = createSession()
    const token = await signAccessToken(KEYS, session, NOW)
    await readAccessToken(KEYS, token, NOW)
    for (let i = 0; i < 1_100; i++) await readAccessToken(KEYS, await signAccessToken(KEYS, createSession(), NOW), NOW)
    expect(await readAccessToken(KEYS, token, NOW)).toEqual(session)
  })
})
