import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import type { WebhookMessage, WebhookResult, WebhookTarget } from '#contract/kernel/outside.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { webhooks } from '#db/schema/monitor.ts'
import { createOutside } from '#outside/adapters.ts'
import { openWebhook } from '#security/webhook-target.ts'
import { createMainAccount, createSubAccount, selectAudits } from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const URL = 'https://oapi.dingtalk.com/robot/send?access_token=0123456789abcdef'
const MASKED = 'https://oapi.dingtalk.com/robot/send?access_token=******'
const form = (over: object = {}) => ({ type: 'dingtalk' as const, url: URL, secret: 'SEC123', ...over })

/** Stored target, decrypted. */
async function stored(accountId: number): Promise<WebhookTarget | null> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.accountId, accountId))
  return row ? openWebhook(env.SEAL_KEYS, row) : null
}

describe('account 7 · webhook/config, setting', () => {
  it('answers nothing that could be used: the key is masked, the secret is not there', async () => {
    const { call, accountId } = await createMainAccount()
    expect(await call(webhookApi.setting, form())).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    const config = await call(webhookApi.config, {})
    expect(config).toMatchObject({ trips: 1, data: { type: 'dingtalk', url: MASKED, secret: '', has_secret: 1 } })
    const [row] = await db.select().from(webhooks).where(eq(webhooks.accountId, accountId))
    const seen = JSON.stringify([row, await selectAudits(accountId)])
    for (const secret of ['0123456789abcdef', 'SEC123']) expect(seen).not.toContain(secret)
  })
  it.each([
    ['the masked url and an empty secret are unchanged', { url: MASKED, secret: '' }, { url: URL, secret: 'SEC123' }],
    ['a missing secret is unchanged', { url: MASKED, secret: undefined }, { url: URL, secret: 'SEC123' }],
    ['null removes the secret', { url: MASKED, secret: null }, { url: URL, secret: '' }],
    ['another secret', { url: MASKED, secret: 'SEC9' }, { url: URL, secret: 'SEC9' }],
    ['another url keeps the secret', { url: `${URL}00`, secret: '' }, { url: `${URL}00`, secret: 'SEC123' }],
    [
      'another type forgets the secret',
      { type: 'other', url: 'https://hooks.example.com/a', secret: '' },
      { type: 'other', url: 'https://hooks.example.com/a', secret: '' },
    ],
  ])('%s', async (_, over, expected) => {
    const { call, accountId } = await createMainAccount()
    await call(webhookApi.setting, form())
    expect((await call(webhookApi.setting, form(over))).code).toBe(200)
    expect(await stored(accountId)).toMatchObject(expected)
  })
  it('WeCom has no secret', async () => {
    const { call, accountId } = await createMainAccount()
    const url = 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0a91c8d7-1111-2222-3333-444455556666'
    expect((await call(webhookApi.setting, form({ type: 'wecom', url }))).code).toBe(200)
    expect(await stored(accountId)).toEqual({ type: 'wechat', url, secret: '' })
  })
  it.each([
    ['', '请输入URL'],
    ['https://oapi.dingtalk.com.evil.example/robot/send?access_token=0123456789abcdef', null],
    [MASKED, null],
    ['http://127.0.0.1:8443/', null],
  ])('refuses %s on its field', async (url, msg) => {
    const { call } = await createMainAccount()
    const answer = await call(webhookApi.setting, form({ url }))
    expect(answer).toMatchObject({ code: 422, data: { field: 'url' }, ...(msg !== null && { msg }) })
  })
  it('account 6 · is not for a role limited to networks', async () => {
    const main = await createMainAccount()
    const limited = await createSubAccount(main, { flags: [...PERMISSIONS], networks: ['n1'] })
    for (const spec of [webhookApi.setting, webhookApi.test])
      expect(await limited.call(spec, form())).toMatchObject(refusal('MONITOR_LIMITED'))
    expect(await limited.call(webhookApi.delete, {})).toMatchObject(refusal('MONITOR_LIMITED'))
  })
})

describe('account 5 · the address of a robot', () => {
  it('loses the slashes behind it', async () => {
    const { call, accountId } = await createMainAccount()
    const url = 'https://open.feishu.cn/open-apis/bot/v2/hook/0a91c8d7-1111-2222-3333-444455556666'
    expect((await call(webhookApi.setting, form({ type: 'feishu', url: `${url}/` }))).code).toBe(200)
    expect(await stored(accountId)).toMatchObject({ url })
    expect((await call(webhookApi.setting, form({ url: `${URL}/` }))).code).toBe(200)
    expect(await stored(accountId)).toMatchObject({ url: URL })
  })
})

describe('account 7 · webhook/test', () => {
  const workerWith = (result: WebhookResult) => {
    const sent: WebhookTarget[] = []
    const messages: WebhookMessage[] = []
    const outside = (bindings: Env) => ({
      ...createOutside(bindings),
      webhook: {
        send: async (target: WebhookTarget, message: WebhookMessage) => {
          sent.push(target)
          messages.push(message)
          return result
        },
      },
    })
    return { sent, messages, worker: createTestWorker({ outside }) }
  }
  it('sends by what the form holds, with the kept secret where it is unchanged', async () => {
    const main = await createMainAccount()
    await main.call(webhookApi.setting, form())
    const { sent, worker } = workerWith({ kind: 'ok', code: '0', words: 'ok' })
    const answer = await worker.call(webhookApi.test, form({ url: MASKED, secret: '' }), main.token)
    expect(answer).toMatchObject({ code: 200, msg: '发送成功', trips: 2 })
    expect(sent).toEqual([{ type: 'dingtalk', url: URL, secret: 'SEC123' }])
  })
  it('shows what the platform answers', async () => {
    const main = await createMainAccount()
    const { worker } = workerWith({ kind: 'permanent', code: '40035', words: '缺少参数 json' })
    expect(await worker.call(webhookApi.test, form(), main.token)).toMatchObject({
      code: 422,
      msg: '钉钉返回 40035: 缺少参数 json',
      data: { field: 'url' },
    })
  })
  it.each([
    ['signature', 'secret', '签名校验未通过，请核对密钥是否完整，并确认机器人开启了加签（钉钉返回 310000: x）'],
    ['keyword', 'keyword', '机器人设置了其他关键词，请改为“告警”，或改用加签（钉钉返回 310000: x）'],
  ] as const)('a wrong %s has a sentence of its own, and marks %s', async (cause, field, msg) => {
    const main = await createMainAccount()
    const { worker } = workerWith({ kind: 'permanent', code: '310000', words: 'x', cause })
    expect(await worker.call(webhookApi.test, form(), main.token)).toMatchObject({ code: 422, msg, data: { field } })
  })
  it('names brand and account: a group may have robots of several', async () => {
    const main = await createMainAccount({ nickname: '启明智造' })
    const { worker, messages } = workerWith({ kind: 'ok', code: '0', words: '' })
    await worker.call(webhookApi.test, form(), main.token)
    expect(messages).toMatchObject([{ sender: { brand: '织联', account: `启明智造（${main.username}）` } }])
  })
  it('at most six times a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const main = await createMainAccount()
    const { sent, worker } = workerWith({ kind: 'ok', code: '0', words: '' })
    for (let i = 0; i < 6; i++) await worker.call(webhookApi.test, form(), main.token)
    expect((await worker.call(webhookApi.test, form(), main.token)).code).toBe(429)
    expect(sent).toHaveLength(6)
  })
})

describe('account 7 · webhook/delete', () => {
  it('switches the channel off', async () => {
    const { call, accountId } = await createMainAccount()
    await call(webhookApi.setting, form())
    const on = { email_confirm: 0, webhook_confirm: 1, router_online: 0, router_offline: 1 } as const
    await call(monitorApi.setting, { ...on, service_expired: 1, pop_connect: 1, router: [] })
    expect(await call(webhookApi.delete, {})).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect(await stored(accountId)).toBeNull()
    expect((await call(monitorApi.config, {})).data).toMatchObject({ webhook_confirm: 0, has_webhook: 0 })
    expect((await call(webhookApi.config, {})).data).toMatchObject({ url: '', has_secret: 0 })
  })
})
