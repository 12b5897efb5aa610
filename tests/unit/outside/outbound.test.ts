import { describe, expect, it, vi } from 'vitest'
import { type ErrorKey, Refusal } from '#contract/kernel/errors.ts'
import { isPublicAddress } from '#domain/outbound/public-address.ts'
import type { Resolver } from '#outside/dns-over-https.ts'
import { createOutbound } from '#outside/outbound.ts'
import { type ProviderEnv, signedHost } from '#outside/outbound-url.ts'
import {
  SSRF_HOSTS,
  PRIVATE_ADDRESSES,
  PUBLIC_ADDRESSES,
  SSRF_URLS,
  SAMPLE_ADDRESSES,
  SAMPLE_HOSTS,
  SAMPLE_URLS,
} from './ssrf-corpus.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const PRODUCTION: ProviderEnv = { ENVIRONMENT: 'production' }
const PUBLIC = ['1.1.1.1', '2606:4700::1111']

/** An outbound whose internet is these addresses and this answer; `sent` are the requests that left. */
function withInternet(
  answer: (url: string, init: RequestInit) => Response | Promise<Response> = () => new Response('ok'),
  addresses: readonly string[] = PUBLIC,
  env = PRODUCTION,
) {
  const sent: { url: string; init: RequestInit }[] = []
  const resolve = vi.fn<Resolver>(async () => addresses)
  const outbound = createOutbound(env, {
    resolve,
    fetch: async (url, init) => {
      sent.push({ url, init })
      return answer(url, init)
    },
  })
  return { outbound, sent, resolve }
}

async function catchRefusal(work: Promise<unknown>): Promise<{ key?: ErrorKey; text: string }> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Refusal)) return { text: String(error) }
  return { key: error.violation.key, text: `${error.message}${error.stack}${JSON.stringify(error.violation)}` }
}

describe('addresses', () => {
  it('of private networks, special use and other spellings are not public', async () => {
    const offenders = await findOffenders(PRIVATE_ADDRESSES)((text) => expect(isPublicAddress(text)).toBe(false))
    expect(offenders).toEqual([])
  })
  it('beside them are public', async () => {
    const offenders = await findOffenders(PUBLIC_ADDRESSES)((text) => expect(isPublicAddress(text)).toBe(true))
    expect(offenders).toEqual([])
  })
})

describe('nothing leaves for', () => {
  it('200 tricks or more', () => {
    expect(SSRF_HOSTS.length + SSRF_URLS.length).toBeGreaterThanOrEqual(200)
    expect(new Set(SSRF_HOSTS.map(([, host]) => host)).size).toBeGreaterThan(350)
  })
  it('the samples of other layers are of the corpus', () => {
    const urls = new Set([...SSRF_URLS, ...SSRF_HOSTS.map(([, host]) => `https://${host}/hook`)])
    expect(SAMPLE_URLS.filter(([, url]) => !urls.has(url))).toEqual([])
    expect(SSRF_HOSTS).toEqual(expect.arrayContaining([...SAMPLE_HOSTS]))
    expect(PRIVATE_ADDRESSES).toEqual(expect.arrayContaining([...SAMPLE_ADDRESSES]))
  })
  it('each host of the corpus, and nobody is asked for its address', async () => {
    const offenders = await findOffenders(SSRF_HOSTS)(async (_, host) => {
      const { outbound, sent, resolve } = withInternet()
      const { key } = await catchRefusal(outbound.toUrl(`https://${host}/hook`))
      expect(['OUTBOUND_ADDRESS', 'OUTBOUND_URL_INVALID']).toContain(key)
      expect(sent).toEqual([])
      expect(resolve).not.toHaveBeenCalled()
    })
    expect(offenders).toEqual([])
  })
  it('each URL of the corpus', async () => {
    const offenders = await findOffenders(SSRF_URLS)(async (url) => {
      const { outbound, sent } = withInternet()
      expect((await catchRefusal(outbound.toUrl(url))).key).toMatch(/^OUTBOUND_/)
      expect(sent).toEqual([])
    })
    expect(offenders).toEqual([])
  })
  it('a name that resolves to a private address, even beside public ones', async () => {
    const offenders = await findOffenders(SAMPLE_ADDRESSES)(async (address) => {
      for (const addresses of [[address], [...PUBLIC, address]]) {
        const { outbound, sent } = withInternet(undefined, addresses)
        expect((await catchRefusal(outbound.toUrl('https://rebind.example.com/'))).key).toBe('OUTBOUND_ADDRESS')
        expect(sent).toEqual([])
      }
    })
    expect(offenders).toEqual([])
  })
  it('a name without addresses', async () => {
    const { outbound, sent } = withInternet(undefined, [])
    expect((await catchRefusal(outbound.toUrl('https://nobody.example.com/'))).key).toBe('OUTBOUND_HOST_UNKNOWN')
    expect(sent).toEqual([])
  })
})

describe('a public URL', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c'],
    ['https://Hooks.Example.COM:443/x', 'https://hooks.example.com/x'],
    ['https://hooks.example.com:8443/x', 'https://hooks.example.com:8443/x'],
    ['https://例子.中国/x', 'https://xn--fsqu00a.xn--fiqs8s/x'],
  ])('%s is called as %s, without redirects', async (url, called) => {
    const { outbound, sent } = withInternet()
    const reply = await outbound.toUrl(url, { method: 'POST', body: '{}', headers: { 'x-a': '1' } })
    expect(reply).toMatchObject({ status: 200, text: 'ok', isCut: false })
    expect(sent).toEqual([
      { url: called, init: expect.objectContaining({ method: 'POST', body: '{}', redirect: 'manual' }) as RequestInit },
    ])
  })
  it.each([301, 302, 303, 307, 308])('a redirect (%d) is refused', async (status) => {
    const { outbound, sent } = withInternet(
      () => new Response(null, { status, headers: { location: 'https://127.0.0.1/' } }),
    )
    expect((await catchRefusal(outbound.toUrl('https://example.com/'))).key).toBe('OUTBOUND_REDIRECT')
    expect(sent).toHaveLength(1)
  })
  it('a failure names the host, never the URL with its key', async () => {
    const { outbound } = withInternet((url) => Promise.reject(new TypeError(`fetch failed: ${url}`)))
    const { key, text } = await catchRefusal(outbound.toUrl('https://example.com/send?access_token=t0psecret'))
    expect(key).toBe('OUTBOUND_UNREACHABLE')
    expect(text).toContain('example.com')
    expect(text).not.toContain('t0psecret')
  })
})

describe('the reply', () => {
  const endless = (chunk: Uint8Array, onCancel = () => {}) =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk), cancel: onCancel })

  it('is cut at the cap and the rest is not read', async () => {
    let isCancelled = false
    const { outbound } = withInternet(
      () => new Response(endless(new Uint8Array(1000).fill(97), () => (isCancelled = true))),
    )
    const reply = await outbound.toUrl('https://example.com/', { maxBytes: 2500 })
    expect(reply).toMatchObject({ isCut: true, text: 'a'.repeat(2500) })
    expect(isCancelled).toBe(true)
    expect(() => reply.json()).toThrow(Refusal)
  })
  it.each([2499, 2500])('of %d bytes is whole under a cap of 2500', async (length) => {
    const { outbound } = withInternet(() => new Response('a'.repeat(length)))
    const reply = await outbound.toUrl('https://example.com/', { maxBytes: 2500 })
    expect(reply).toMatchObject({ isCut: false, text: 'a'.repeat(length) })
  })
  it('as JSON, or a refusal', async () => {
    const answers = ['{"errcode":0}', '<html>']
    const { outbound } = withInternet(() => new Response(answers.shift()))
    expect((await outbound.toUrl('https://example.com/')).json()).toEqual({ errcode: 0 })
    const reply = await outbound.toUrl('https://example.com/')
    expect(() => reply.json()).toThrow('无法识别')
  })
})

describe('the time limit', () => {
  const never = () => new Promise<never>(() => {})
  it.each<[string, Parameters<typeof createOutbound>[1]]>([
    ['the name', { resolve: never, fetch: never }],
    ['the connection', { resolve: async () => PUBLIC, fetch: never }],
    ['the body', { resolve: async () => PUBLIC, fetch: async () => new Response(new ReadableStream({ pull: never })) }],
  ])('covers %s', async (_, ports) => {
    vi.useFakeTimers()
    try {
      const outbound = createOutbound(PRODUCTION, ports)
      const refused = catchRefusal(outbound.toUrl('https://example.com/', { timeoutMs: 2000 }))
      await vi.advanceTimersByTimeAsync(1999)
      await vi.advanceTimersByTimeAsync(1)
      expect(await refused).toMatchObject({
        key: 'OUTBOUND_TIMEOUT',
        text: expect.stringContaining('在2秒内') as string,
      })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
  it('aborts what is under way', async () => {
    let signal: AbortSignal | null | undefined
    const { outbound } = withInternet((_, init) => ((signal = init.signal), never()))
    expect((await catchRefusal(outbound.toUrl('https://example.com/', { timeoutMs: 5 }))).key).toBe('OUTBOUND_TIMEOUT')
    expect(signal?.aborted).toBe(true)
  })
})

describe('names are resolved over HTTPS', () => {
  /** Answers of a resolver by record type; the webhook itself answers 200. */
  const dns = (answers: Readonly<Record<string, unknown>>, env = PRODUCTION) => {
    const asked: string[] = []
    const outbound = createOutbound(env, {
      fetch: async (url) => {
        asked.push(url)
        const query = new URL(url).searchParams
        return query.has('type') ? Response.json(answers[query.get('type') ?? ''] ?? { Status: 0 }) : new Response('ok')
      },
    })
    return { outbound, asked }
  }
  const A = {
    Status: 0,
    Answer: [
      { type: 5, data: 'cdn.example.net.' },
      { type: 1, data: '1.1.1.1' },
    ],
  }

  it('both families, then the call', async () => {
    const { outbound, asked } = dns({ A, AAAA: { Status: 0, Answer: [{ type: 28, data: '2606:4700::1' }] } })
    expect(await outbound.toUrl('https://example.com/')).toMatchObject({ status: 200 })
    expect(asked).toEqual([
      'https://cloudflare-dns.com/dns-query?name=example.com&type=A',
      'https://cloudflare-dns.com/dns-query?name=example.com&type=AAAA',
      'https://example.com/',
    ])
  })
  it.each([
    [
      'a private IPv6 beside a public IPv4',
      { A, AAAA: { Status: 0, Answer: [{ type: 28, data: '::1' }] } },
      'OUTBOUND_ADDRESS',
    ],
    ['no such name', { A: { Status: 3 }, AAAA: { Status: 3 } }, 'OUTBOUND_HOST_UNKNOWN'],
    ['a failure for one family', { A, AAAA: { Status: 2 } }, 'OUTBOUND_HOST_UNKNOWN'],
    ['an answer of another shape', { A: { hello: 1 }, AAAA: { Status: 0 } }, 'OUTBOUND_HOST_UNKNOWN'],
  ])('%s is refused', async (_, answers, key) => {
    const { outbound, asked } = dns(answers)
    expect((await catchRefusal(outbound.toUrl('https://example.com/'))).key).toBe(key)
    expect(asked).not.toContain('https://example.com/')
  })
  it('at the resolver of the environment', async () => {
    const { outbound, asked } = dns(
      { A },
      { ENVIRONMENT: 'production', DNS_BASE_URL: 'https://dns.alidns.com/resolve' },
    )
    await outbound.toUrl('https://example.com/')
    expect(asked[0]).toBe('https://dns.alidns.com/resolve?name=example.com&type=A')
  })
})

describe('providers', () => {
  it('have their own base URL unless the environment names one, and are not resolved', async () => {
    const own = withInternet()
    await own.outbound.toProvider('DINGTALK', '/robot/send?access_token=x')
    const relayed = withInternet(undefined, PUBLIC, {
      ENVIRONMENT: 'production',
      WECOM_BASE_URL: 'https://relay.example.com/wecom/',
    })
    await relayed.outbound.toProvider('WECOM', '/cgi-bin/gettoken')
    const local = withInternet(undefined, PUBLIC, { ENVIRONMENT: 'local', FEISHU_BASE_URL: 'http://127.0.0.1:9000' })
    await local.outbound.toProvider('FEISHU', '/open-apis/bot/v2/hook/t')
    expect([own, relayed, local].map(({ sent }) => sent[0]?.url)).toEqual([
      'https://oapi.dingtalk.com/robot/send?access_token=x',
      'https://relay.example.com/wecom/cgi-bin/gettoken',
      'http://127.0.0.1:9000/open-apis/bot/v2/hook/t',
    ])
    expect(own.resolve).not.toHaveBeenCalled()
  })
  it.each([
    'http://127.0.0.1:9000',
    'http://relay.example.com',
    'https://127.0.0.1',
    'https://localhost',
    'nonsense',
    'https://u:p@relay.example.com',
    'https://relay.example.com/?a=b',
  ])('%s is no base URL in production', async (base) => {
    for (const ENVIRONMENT of ['production', 'staging'] as const) {
      const { outbound, sent } = withInternet(undefined, PUBLIC, { ENVIRONMENT, DINGTALK_BASE_URL: base })
      expect((await catchRefusal(outbound.toProvider('DINGTALK', '/robot/send'))).text).toContain(
        'DINGTALK_BASE_URL must',
      )
      expect(sent).toEqual([])
    }
  })
  it.each(['/.evil.com/x', '/@127.0.0.1/', '//127.0.0.1/', '/\\127.0.0.1/', '?@127.0.0.1'] as const)(
    'the path %s stays at its host',
    async (path) => {
      const { outbound, sent } = withInternet()
      await outbound.toProvider('DINGTALK', path)
      expect(sent.map(({ url }) => new URL(url).host)).toEqual(['oapi.dingtalk.com'])
    },
  )
  it.each([
    [{}, 'dysmsapi.aliyuncs.com'],
    [{ ALIYUN_SMS_BASE_URL: 'https://dysmsapi.ap-southeast-1.aliyuncs.com' }, 'dysmsapi.ap-southeast-1.aliyuncs.com'],
    [{ ALIYUN_SMS_BASE_URL: 'https://relay.example.com/sms' }, 'dysmsapi.aliyuncs.com'],
    [{ ALIYUN_SMS_BASE_URL: 'http://127.0.0.1:9000' }, 'dysmsapi.aliyuncs.com'],
    [{ ALIYUN_SMS_BASE_URL: 'https://aliyuncs.com.evil.com' }, 'dysmsapi.aliyuncs.com'],
  ])('%j is signed for %s, the API itself', (over, host) => {
    expect(signedHost({ ...PRODUCTION, ...over }, 'ALIYUN_SMS')).toBe(host)
  })
  it('the internet of a local run is no other than the internet in production', async () => {
    const env = { LOCAL_INTERNET_URL: 'http://127.0.0.1:9000/internet/' }
    const calls = await Promise.all(
      (['local', 'staging', 'production'] as const).map(async (ENVIRONMENT) => {
        const { outbound, sent } = withInternet(undefined, PUBLIC, { ENVIRONMENT, ...env })
        await outbound.toUrl('https://hooks.example.com:8443/a?b=c')
        return sent[0]?.url
      }),
    )
    const real = 'https://hooks.example.com:8443/a?b=c'
    expect(calls).toEqual(['http://127.0.0.1:9000/internet/hooks.example.com:8443/a?b=c', real, real])
  })
  it('a private host that a customer typed is refused in a local run as well', async () => {
    const { outbound, sent } = withInternet(undefined, PUBLIC, { ENVIRONMENT: 'local' })
    expect((await catchRefusal(outbound.toUrl('http://127.0.0.1:9000/'))).key).toBe('OUTBOUND_HTTPS_REQUIRED')
    expect(sent).toEqual([])
  })
})
