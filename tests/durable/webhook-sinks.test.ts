import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createAlertChannels } from '#durable/account-hub/alerts/alert-channels.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { WEBHOOK_TYPES, type WebhookType } from '#contract/kernel/outside.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { saveWebhook } from '#features/webhook/sql.ts'
import type { Delivery } from '#domain/monitor/delivery.ts'
import { sealWebhook } from '#security/webhook-target.ts'
import type { Zone } from '#tests/support/fakes/sinks.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { spellAddress, SSRF_HOSTS, SSRF_URLS } from '#tests/unit/outside/ssrf-corpus.ts'
import { createOutside } from '#outside/adapters.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { SAMPLE_MESSAGE } from '#tests/support/webhook-message.ts'

// Nothing is replaced here: the Worker's own fetch is behind webhook/setting, webhook/test and the delivery of an alert, and
// the sinks are real sockets on this machine.

const { url: control, host, port } = inject('sinks')
const bindings = { ENVIRONMENT: 'local', DNS_BASE_URL: `${control}/dns-query` } as const

const A = 1
const CNAME = 5
const AAAA = 28
const PUBLIC = { type: A, data: '1.1.1.1' }
const name = (label: string) => `${label}.netloom-sink.cn`
/** Names of a public zone whose owner lets them lead to this machine. */
const ZONE: Zone = {
  [name('four')]: [[{ type: A, data: host }]],
  [name('loopback')]: [[{ type: A, data: '127.0.0.1' }]],
  [name('any')]: [[{ type: A, data: '0.0.0.0' }]],
  [name('metadata')]: [[{ type: A, data: '169.254.169.254' }]],
  [name('six')]: [[{ type: AAAA, data: '::1' }]],
  [name('mapped')]: [[{ type: AAAA, data: `::ffff:${host}` }]],
  [name('nat64')]: [[{ type: AAAA, data: '64:ff9b::7f00:1' }]],
  [name('both')]: [[PUBLIC, { type: A, data: host }]],
  [name('both-six')]: [[PUBLIC, { type: AAAA, data: '::1' }]],
  [name('alias')]: [
    [
      { type: CNAME, data: name('middle') },
      { type: CNAME, data: 'localhost.' },
      { type: A, data: host },
    ],
  ],
  [name('alias-only')]: [[{ type: CNAME, data: 'localhost.' }]],
  [name('short')]: [[{ type: A, data: '127.1' }]],
  [name('hex')]: [[{ type: A, data: '0x7f000001' }]],
  [name('zone-id')]: [[{ type: AAAA, data: 'fe80::1%lo' }]],
  [name('nothing')]: [[]],
  'localtest.me': [[{ type: A, data: '127.0.0.1' }]],
  [`${host}.nip.io`]: [[{ type: A, data: host }]],
}
/** Public when it is looked up first, this machine from then on. */
const REBINDING = name('rebinding')

const HOSTS = [
  ...spellAddress(host),
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ip6-localhost',
    'a.localhost',
    'localhost.localdomain',
    '[::1]',
    '[::]',
  ].map((text) => [text, text] as const),
]
const ROBOTS = {
  dingtalk: ['oapi.dingtalk.com', '/robot/send?access_token=0123456789abcdef'],
  feishu: ['open.feishu.cn', '/open-apis/bot/v2/hook/0123456789abcdef'],
  wechat: ['qyapi.weixin.qq.com', '/cgi-bin/webhook/send?key=0a91c8d7-1111-2222-3333-444455556666'],
} as const

const ofOther = (urls: readonly string[]) => urls.map((url) => ['other', url] as const)
const TRICKS: readonly (readonly [WebhookType, string])[] = [
  ...ofOther(HOSTS.flatMap(([, text]) => [`https://${text}/x`, `https://${text}:8443/x`])),
  ...ofOther(Object.keys(ZONE).flatMap((text) => [`https://${text}/x`, `https://${text}:8443/x`])),
  ...ofOther(['http', 'ws', 'wss', 'ftp', 'gopher', 'file'].map((scheme) => `${scheme}://${host}:${port}/x`)),
  ...ofOther([String(port), '80', '22', '0', '65536', '08443', '8443.'].map((text) => `https://${host}:${text}/x`)),
  ...ofOther([`https://${name('four')}:${port}/x`, `https://example.com:${port}/x`]),
  ...ofOther([
    `https://example.com@${host}:8443/x`,
    `https://user:pass@${host}:8443/x`,
    `https://${host}:8443@example.com/x`,
    `https://example.com\\@${host}:8443/x`,
    `https://${host}:8443\\@example.com/x`,
    `https:\\\\${host}:8443\\x`,
    `https:/${host}:8443/x`,
    `https:${host}:8443/x`,
    `//${host}:8443/x`,
    `https://${host}:8443#@example.com/x`,
    `https://${host}:8443?@example.com/x`,
    `https://${host}%2f:8443@example.com/x`,
    `https://exa\tmple.com@${host}:8443/x`,
    `https://${host.slice(0, 5)}\u200b${host.slice(5)}:8443/x`,
    `https://${host}:8443/\r\nHost: example.com`,
  ]),
  ...Object.entries(ROBOTS).flatMap(([type, [robot, path]]) =>
    [
      `https://${host}:8443${path}`,
      `https://${robot}@${host}:8443${path}`,
      `https://${robot}:8443@${host}:8443${path}`,
      `https://${robot}.${host}.nip.io${path}`,
      `https://${host}:8443\\@${robot}${path}`,
      `http://${robot}${path}`,
      `https://${robot}:${port}${path}`,
    ].map((url) => [type as WebhookType, url] as const),
  ),
]
/** The corpus of the outbound call once more, as the runtime of the Worker reads URLs. */
const CORPUS = ofOther([...SSRF_URLS, ...SSRF_HOSTS.map(([, text]) => `https://${text}:8443/x`)])
/** One trick of each class, for the calls above. */
const SAMPLE: typeof TRICKS = [
  ...ofOther([
    `https://${host}:8443/x`,
    `https://[::ffff:${host}]:8443/x`,
    'https://localhost.:8443/x',
    `https://${name('four')}:8443/x`,
    `https://${name('both-six')}:8443/x`,
    `https://${name('alias')}:8443/x`,
    `http://${host}:${port}/x`,
    `https://${name('four')}:${port}/x`,
    `https://example.com\\@${host}:8443/x`,
  ]),
  ['wechat', `https://${ROBOTS.wechat[0]}@${host}:8443${ROBOTS.wechat[1]}`],
]

async function seen(): Promise<{ connections: number; questions: number }> {
  return (await fetch(`${control}/`)).json()
}

const worker = createTestWorker({ env: bindings })
const DELIVERY = {
  id: 'event',
  event: 'router.offline',
  at: 1,
  title: '告警',
  lines: [],
  networkNumber: '',
  routerName: '',
}

/** The three calls; the row is there as if it had been stored before the rules. */
async function callThrice(type: WebhookType, url: string, over: Partial<Env> = {}) {
  const main = await createMainAccount()
  const form = { type, url, secret: '' }
  const set = await worker.call(webhookApi.setting, form, main.token)
  const { call } = Object.keys(over).length > 0 ? createTestWorker({ env: { ...bindings, ...over } }) : worker
  const tested = await call(webhookApi.test, form, main.token)
  const terms = { accountId: main.accountId, masked: url, now: 1 }
  await saveWebhook(db, await sealWebhook(env.SEAL_KEYS, form, terms))
  const channels = createAlertChannels({ ...env, ...bindings, ...over }, main.hub)
  const delivered = await channels.webhook({ ...DELIVERY, alertId: unique('a') } as unknown as Delivery)
  return { set, tested, delivered }
}

let before: Awaited<ReturnType<typeof seen>>
beforeAll(async () => {
  const [first, later] = [[PUBLIC], [{ type: A, data: host }]]
  const zone = { ...ZONE, [REBINDING]: [first, later] }
  await (await fetch(`${control}/zone`, { method: 'POST', body: JSON.stringify(zone) })).text()
})
beforeEach(async () => {
  before = await seen()
})

describe('account 5 · webhooks · sinks on this machine', () => {
  it('see whoever calls without the guard', async () => {
    for (const address of [`https://${host}:8443/`, `http://${host}:${port}/`, `https://user@${host}:8443/x`])
      await fetch(address).catch(() => null)
    expect((await seen()).connections).toBeGreaterThanOrEqual(before.connections + 2)
  })

  it('are tried by a hundred tricks and more', () => {
    expect(new Set(TRICKS.map(([, url]) => url)).size).toBeGreaterThan(100)
    expect(WEBHOOK_TYPES.filter((type) => !TRICKS.some(([tried]) => tried === type))).toEqual([])
  })

  it('see nothing of any trick, nor of the corpus, where the Worker sends a webhook', async () => {
    const { webhook } = createOutside({ ...env, ...bindings })
    const offenders = await findOffenders([...TRICKS, ...CORPUS])(async (type, url) => {
      const { connections } = await seen()
      expect((await webhook.send({ type, url, secret: '' }, SAMPLE_MESSAGE)).kind).not.toBe('ok')
      expect((await seen()).connections).toBe(connections)
    })
    expect(offenders).toEqual([])
  })

  it('see nothing of one trick of each class: setting, test, delivery', async () => {
    expect(TRICKS).toEqual(expect.arrayContaining([...SAMPLE]))
    const offenders = await findOffenders(SAMPLE)(async (type, url) => {
      const { connections } = await seen()
      const { tested, delivered } = await callThrice(type, url)
      expect(tested.code).not.toBe(200)
      expect(delivered.kind).not.toBe('ok')
      expect((await seen()).connections).toBe(connections)
    })
    expect(offenders).toEqual([])
  })

  it('a name is looked up for each call: one that leads here later is refused later', async () => {
    await callThrice('other', `https://${REBINDING}:8443/x`) // its first answer is public, and unreachable here
    const { set, tested, delivered } = await callThrice('other', `https://${REBINDING}:8443/x`)
    expect(set.code).toBe(200)
    expect(tested.msg).toBe(toMessage(violation('OUTBOUND_ADDRESS')))
    expect(delivered).toMatchObject({ kind: 'permanent', code: 'OUTBOUND_ADDRESS' })
    const { connections, questions } = await seen()
    expect(connections).toBe(before.connections)
    expect(questions).toBeGreaterThanOrEqual(before.questions + 6)
  })

  it.each([301, 302, 303, 307, 308])('a redirect with %d of a public server is not followed', async (status) => {
    const over = { LOCAL_INTERNET_URL: `${control}/redirect` }
    const { tested, delivered } = await callThrice('other', `https://${name('public')}/${status}`, over)
    expect(tested.msg).toContain('要求跳转到其他地址，请填写跳转后的最终网址')
    expect(delivered).toMatchObject({ kind: 'permanent', code: 'OUTBOUND_REDIRECT' })
    expect((await seen()).connections).toBe(before.connections)
  })
})
