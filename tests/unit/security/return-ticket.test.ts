import { describe, expect, it } from 'vitest'
import { RETURN_TICKET } from '#contract/device/limits.ts'
import type { Session } from '#contract/kernel/session.ts'
import { readClientToken, signClientToken } from '#security/client-tokens.ts'
import { issueReturnTicket, readReturnTicket } from '#security/return-ticket.ts'
import { issueSocketTicket, readSocketTicket } from '#security/socket-tickets.ts'
import { readAccessToken, signAccessToken } from '#security/tokens.ts'

const KEY = 'k'.repeat(32)
const KEYS = `a:${KEY}`
const NOW = 1_760_000_000_000
const TICKET = {
  hub: `apac.${'0'.repeat(32)}`,
  accountId: 7,
  deviceId: 5,
  routerName: 'NL-R220-0001',
  key: 'x'.repeat(43),
  generation: NOW - 1,
}
const SESSION: Session = {
  id: 's',
  version: 1,
  accountId: 7,
  ramId: null,
  username: 'demo01',
  grants: { kind: 'main', flags: [], networks: null },
}
const VIEWER = { accountId: 7, accountHub: TICKET.hub, sessionId: 's', person: 'main:7', grants: SESSION.grants }

describe('return ticket', () => {
  it('carries what it was issued for, until thirty days later', async () => {
    const text = await issueReturnTicket(KEYS, TICKET, NOW)
    const end = NOW + RETURN_TICKET.seconds * 1000
    for (const now of [NOW, end - 1]) expect(await readReturnTicket(KEYS, text, now)).toEqual(TICKET)
    expect(await readReturnTicket(KEYS, text, end)).toBeNull()
  })

  it('is short enough for a header', async () => {
    expect((await issueReturnTicket(KEYS, TICKET, NOW)).length).toBeLessThan(600)
  })

  it('is read under an older key, and no longer once that is dropped', async () => {
    const text = await issueReturnTicket(KEYS, TICKET, NOW)
    expect(await readReturnTicket(`b:${'n'.repeat(32)},${KEYS}`, text, NOW)).not.toBeNull()
    expect(await readReturnTicket(`b:${'n'.repeat(32)}`, text, NOW)).toBeNull()
  })

  it.each([
    ['nothing', async () => ''],
    ['nonsense', async () => 'a.b.c'],
    ['a key of another id', () => issueReturnTicket(`b:${KEY}`, TICKET, NOW)],
    ['another key of the same id', () => issueReturnTicket(`a:${'o'.repeat(32)}`, TICKET, NOW)],
    ['altered claims', async () => altered({ gen: NOW })],
    ['another hub', async () => altered({ hub: `apac.${'1'.repeat(32)}` })],
    ['an access token', () => signAccessToken(KEYS, SESSION, NOW)],
    [
      'a ticket of a browser socket',
      () => issueSocketTicket(KEYS, { kind: 'router', hub: TICKET.hub, viewer: VIEWER }, NOW),
    ],
    ['a token of the client application', () => signClientToken(KEYS, { id: 's', accountId: 7, routerId: 1 }, NOW)],
  ])('is not %s', async (_, make) => {
    expect(await readReturnTicket(KEYS, await make(), NOW)).toBeNull()
  })

  it.each([
    ['access token', (text: string) => readAccessToken(KEYS, text, NOW)],
    ['ticket of a browser socket', (text: string) => readSocketTicket(KEYS, text, 'router', NOW)],
    ['token of the client application', (text: string) => readClientToken(KEYS, text, NOW)],
  ])('is no %s, even under its key', async (_, read) => {
    await expect(read(await issueReturnTicket(KEYS, TICKET, NOW))).rejects.toMatchObject({ name: 'Refusal' })
  })

  it('cannot be read where the keys are no keys', async () => {
    await expect(readReturnTicket('a:short', await issueReturnTicket(KEYS, TICKET, NOW), NOW)).rejects.toThrow(
      '32 characters',
    )
  })

  async function altered(claims: object): Promise<string> {
    const [head, body = '', signature] = (await issueReturnTicket(KEYS, TICKET, NOW)).split('.')
    const payload = { ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), ...claims }
    return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
  }
})
