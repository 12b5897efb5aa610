import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { OPS } from '#contract/api.ts'
import { OPERATOR_SCOPES, type OperatorScope, isOperatorAccess, scopeOf } from '#contract/kernel/permissions.ts'
import { opsApi } from '#contract/ops/index.ts'
import { toTokenEntry } from '#security/operator-tokens.ts'
import { createMainAccount, selectAudits } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'

const TOKENS = { read: 'r'.repeat(32), support: 's'.repeat(32), admin: 'a'.repeat(32), next: 'n'.repeat(32) }

async function createOpsWorker(over: Partial<Env> = {}) {
  const entries = await Promise.all([
    toTokenEntry({ name: 'robot', scope: 'read' }, TOKENS.read),
    toTokenEntry({ name: 'li.na', scope: 'support' }, TOKENS.support),
    toTokenEntry({ name: 'wang', scope: 'admin' }, TOKENS.admin),
    toTokenEntry({ name: 'wang', scope: 'admin' }, TOKENS.next),
  ])
  return createTestWorker({ env: { OPERATOR_TOKENS: entries.join(', '), ...over } })
}

describe('design 1 · ops · named tokens', () => {
  it('each call takes the tokens of its scope and above, and no other', async () => {
    const worker = await createOpsWorker()
    const cells = OPS.flatMap((spec) => OPERATOR_SCOPES.map((held) => [`${spec.path} by ${held}`, spec, held] as const))
    const offenders = await findOffenders(cells)(async (_, spec, held) => {
      const headers = { authorization: `Bearer ${TOKENS[held]}`, 'cf-connecting-ip': nextAddress() }
      const body = spec.method === 'POST' ? { body: '{}' } : {}
      const answer = await worker.request(`/ops/v1/${spec.path}`, { method: spec.method, headers, ...body })
      const { reason } = await answer.json<{ reason?: string }>()
      const needed: OperatorScope = isOperatorAccess(spec.access) ? scopeOf(spec.access) : 'admin'
      const isOpen = OPERATOR_SCOPES.indexOf(held) >= OPERATOR_SCOPES.indexOf(needed)
      expect(reason === 'OPERATOR_SCOPE').toBe(!isOpen)
      expect(reason).not.toBe('TOKEN_BAD')
    })
    expect(offenders).toEqual([])
  })

  it('only reads are open to read, and what concerns access, sales or everybody needs admin', () => {
    const scopes = OPS.map((spec) => [spec.method, spec.path, isOperatorAccess(spec.access) && scopeOf(spec.access)])
    expect(scopes.filter(([method, , scope]) => (method === 'GET') !== (scope === 'read'))).toEqual([])
    const support = scopes.filter(([, , scope]) => scope === 'support').map(([, path]) => path)
    expect(support.toSorted()).toEqual([
      'contact/expiry',
      'member/disable',
      'member/enable',
      'message/send',
      'network_ticket/cancel',
      'network_ticket/start',
      'ticket/reply',
      'ticket/status',
    ])
  })

  it('a message to everybody needs admin', async () => {
    const { call } = await createOpsWorker()
    const input = { all: 1, title: 't', content: 'c' } as const
    expect(await call(opsApi.sendMessage, input, TOKENS.support)).toMatchObject({
      ...refusal('OPERATOR_SCOPE'),
      msg: '该运营令牌的权限不足，请使用权限为admin的令牌',
    })
    const account = (await createMainAccount()).username
    const one = { account, title: 't', content: 'c' }
    expect(await call(opsApi.sendMessage, one, TOKENS.support)).toMatchObject({ code: 200 })
  })

  it('the audit has the name of the token; OPERATOR_TOKEN is called operator and may do everything', async () => {
    const { call } = await createOpsWorker()
    const { username: account, accountId } = await createMainAccount()
    for (const token of [TOKENS.admin, TOKENS.next, env.OPERATOR_TOKEN])
      expect(await call(opsApi.setDnsQuantity, { account, quantity: 4 }, token)).toMatchObject({ code: 200 })
    const rows = await selectAudits(accountId)
    expect(rows.map(({ actorKind, actorName }) => `${actorKind} ${actorName}`).toSorted()).toEqual([
      'operator 运营（operator）',
      'operator 运营（wang）',
      'operator 运营（wang）',
    ])
  })

  it.each([
    ['without OPERATOR_TOKEN', { OPERATOR_TOKEN: '' }, TOKENS.read, 200],
    ['a token of nobody', {}, 'x'.repeat(32), 2003],
    ['the stored hash as token', {}, '', 2003],
  ])('%s', async (name, over, token, code) => {
    const worker = await createOpsWorker(over)
    const shown =
      token === '' ? (await toTokenEntry({ name: 'robot', scope: 'read' }, TOKENS.read)).split(':')[2]! : token
    const answer = await worker.call(opsApi.listReleases, {}, { token: shown, ip: nextAddress() })
    expect([name, answer.code]).toEqual([name, code])
  })

  it('a malformed setting admits nobody', async () => {
    for (const OPERATOR_TOKENS of ['li.na', 'li.na:root:00', `Li:read:${'0'.repeat(64)}`]) {
      const worker = await createOpsWorker({ OPERATOR_TOKENS })
      const answer = await worker.call(opsApi.listReleases, {}, { token: TOKENS.read, ip: nextAddress() })
      expect([OPERATOR_TOKENS, answer.status]).toEqual([OPERATOR_TOKENS, 500])
    }
  })

  it('three tokens of one name are a malformed setting', async () => {
    const entry = await toTokenEntry({ name: 'li.na', scope: 'read' }, TOKENS.read)
    const worker = await createOpsWorker({ OPERATOR_TOKENS: [entry, entry, entry].join(',') })
    expect((await worker.call(opsApi.listReleases, {}, { token: TOKENS.read, ip: nextAddress() })).status).toBe(500)
  })
})
