import { type AddressInfo, type Server, createServer } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WEBHOOK_TYPES } from '#contract/kernel/outside.ts'
import { createOutbound } from '#outside/outbound.ts'
import { createWebhooks } from '#outside/webhook/webhooks.ts'
import { SSRF_HOSTS, SAMPLE_HOSTS } from './ssrf-corpus.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { SAMPLE_MESSAGE } from '#tests/support/webhook-message.ts'

// Real sockets: sinks on loopback count whoever connects, and a real fetch is behind the guard. Only the port is translated,
// because 443 and 8443, which the rules allow, are not ours to open.

/** Spellings of private addresses and names, most of this machine’s. */
const HOSTS = SSRF_HOSTS.map(([, host]) => host)

const sinks: Server[] = []
let connections = 0
let port = 0
let resolver: ReturnType<typeof createHttpServer>
let dns = ''
/** Answers of the resolver by name; every other name is public. */
const ZONE: Readonly<Record<string, string>> = {
  'four.rebind.netloom-sink.cn': '127.0.0.1',
  'zero.rebind.netloom-sink.cn': '0.0.0.0',
  'metadata.rebind.netloom-sink.cn': '169.254.169.254',
  'six.rebind.netloom-sink.cn': '::1',
  'mapped.rebind.netloom-sink.cn': '::ffff:127.0.0.1',
}

beforeAll(async () => {
  port = await listen('127.0.0.1', 0)
  await listen('::1', port).catch(() => 0) // a machine without IPv6
  resolver = createHttpServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams
    const address = ZONE[query.get('name') ?? ''] ?? '1.1.1.1'
    const type = address.includes(':') ? 28 : 1
    const isAsked = query.get('type') === (type === 28 ? 'AAAA' : 'A')
    response.end(JSON.stringify({ Status: 0, Answer: isAsked ? [{ type, data: address }] : [] }))
  })
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve))
  dns = `http://127.0.0.1:${(resolver.address() as AddressInfo).port}`
})
afterAll(() => {
  for (const server of sinks) server.close()
  resolver.close()
})
beforeEach(() => {
  connections = 0
})

function listen(host: string, wanted: number): Promise<number> {
  const sink = createServer((socket) => {
    connections++
    socket.destroy()
  })
  sinks.push(sink)
  return new Promise((resolve, reject) => {
    sink.on('error', reject)
    sink.listen(wanted, host, () => resolve((sink.address() as AddressInfo).port))
  })
}

const toSink = (url: string) => url.replace(':8443', `:${port}`)
/** A real fetch, which ends at the sinks: whatever is not on this machine is not called at all. */
const reach = (url: string, init?: RequestInit) => {
  const { hostname } = new URL(url)
  const isHere = /^(127\.0\.0\.1|0\.0\.0\.0|localhost\.?|\[::1\]|\[::\]|\[::ffff:7f00:1\])$/.test(hostname)
  return isHere || url.startsWith(dns) ? fetch(toSink(url), init) : Promise.reject(new Error('not on this machine'))
}

const webhooks = () => createWebhooks(createOutbound({ ENVIRONMENT: 'local', DNS_BASE_URL: dns }, { fetch: reach }))
const send = async (url: string) => {
  for (const type of WEBHOOK_TYPES) await webhooks().send({ type, url, secret: '' }, SAMPLE_MESSAGE)
}

describe('sinks on this machine', () => {
  it('see whoever calls without the guard, under most spellings', async () => {
    expect(HOSTS.length).toBeGreaterThan(40)
    const urls = HOSTS.flatMap((host) => URL.parse(`https://${host}:8443/x`)?.href ?? [])
    await Promise.all(urls.map((url) => reach(url).catch(() => {})))
    expect(connections).toBeGreaterThan(20)
  })

  it('see nothing of any class of spelling, whatever the type, path and scheme', async () => {
    const offenders = await findOffenders(SAMPLE_HOSTS)(async (_, host) => {
      connections = 0
      for (const path of ['/x', '/x?url=http://127.0.0.1', '/../x']) await send(`https://${host}:8443${path}`)
      await send(`http://${host}:8443/x`)
      await send(`https://user@${host}:8443/x`)
      expect(connections).toBe(0)
    })
    expect(offenders).toEqual([])
  })

  it.each(Object.keys(ZONE).map((name) => [name]))('see nothing of %s, whose address is private', async (name) => {
    const outbound = createOutbound(
      { ENVIRONMENT: 'local', DNS_BASE_URL: dns },
      { fetch: (url, init) => fetch(url.startsWith(dns) ? url : `http://127.0.0.1:${port}/`, init) },
    )
    const target = { type: 'other', url: `https://${name}:8443/x`, secret: '' } as const
    expect(await createWebhooks(outbound).send(target, SAMPLE_MESSAGE)).toMatchObject({ code: 'OUTBOUND_ADDRESS' })
    expect(connections).toBe(0)
  })

  it.each([301, 302, 303, 307, 308])('see nothing of a public server that answers %d', async (status) => {
    const redirector = createHttpServer((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end()
    })
    await new Promise<void>((resolve) => redirector.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(redirector.address() as AddressInfo).port}/`
    const outbound = createOutbound(
      { ENVIRONMENT: 'local', DNS_BASE_URL: dns },
      { fetch: (url, init) => fetch(url.startsWith(dns) ? url : base, init) },
    )
    const target = { type: 'other', url: 'https://public.netloom-sink.cn/x', secret: '' } as const
    expect(await createWebhooks(outbound).send(target, SAMPLE_MESSAGE)).toMatchObject({ code: 'OUTBOUND_REDIRECT' })
    expect(connections).toBe(0)
    redirector.close()
  })
})
