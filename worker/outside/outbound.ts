import { type ErrorKey, Refusal, refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { within } from '#db/concurrency.ts'
import { OUTBOUND } from '#contract/kernel/limits.ts'
import { isPublicAddress } from '#domain/outbound/public-address.ts'
import { type Resolver, createResolver } from './dns-over-https.ts'
import {
  type Provider,
  type ProviderEnv,
  toDomainUrl,
  toLocalInternet,
  toProviderUrl,
  toPublicUrl,
} from './outbound-url.ts'

/* Outgoing HTTP calls: checks of the target, time-out, redirects, size limit of the reply. */

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Time-out of the whole call: name, connection, headers and body of the reply. */
  readonly timeoutMs?: number
  /** Size limit of the body of the reply. The rest is not read. */
  readonly maxBytes?: number
}

export interface OutboundReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** True if the body was longer than `maxBytes`. */
  readonly isCut: boolean
  /** Parses the body as JSON; refuses other bodies and cut ones. */
  json(): unknown
}

/** The only way from this Worker to the internet. Throws a Refusal with the host, never the URL, which may hold a key. */
export interface Outbound {
  /** Calls a URL that a customer typed: https, a public host name, only public addresses. */
  toUrl(url: string, request?: OutboundRequest): Promise<OutboundReply>
  /** Calls a URL of a customer's domain, also by http. Redirects must stay on the domain or its www; each is checked. */
  toDomain(domain: string, url: string, request?: OutboundRequest): Promise<OutboundReply>
  /** Calls a provider's API. Its base URL is ours, so its name is not checked. */
  toProvider(provider: Provider, path: `/${string}` | `?${string}`, request?: OutboundRequest): Promise<OutboundReply>
}

interface Ports {
  readonly resolve: Resolver
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * Creates the calls. Addresses are checked before a call, but `fetch` of Workers resolves the name again and cannot be
 * pinned to an address. Against DNS rebinding: https only, so the server needs a certificate of the name; no redirects; and
 * on Cloudflare `fetch` reaches only public addresses. `toDomain` allows http and redirects, because its result is only
 * compared with a token and never shown.
 */
export function createOutbound(env: ProviderEnv, ports: Partial<Ports> = {}): Outbound {
  const { fetch: send = (url, init) => fetch(url, init) } = ports
  const resolve =
    ports.resolve ??
    createResolver(async (query, signal) => {
      const url = toProviderUrl(env, 'DNS', query)
      return (await exchange(send, url, { headers: { accept: 'application/dns-json' } }, signal)).json()
    })
  return {
    async toUrl(text, request = {}) {
      const url = toPublicUrl(text)
      const local = toLocalInternet(env, url)
      return withTimeout(url, request, async (signal) => {
        if (local) return exchange(send, local, request, signal)
        await checkAddresses(url.hostname, resolve, signal)
        return exchange(send, url, request, signal)
      })
    },
    async toDomain(domain, text, request = {}) {
      const first = toDomainUrl(domain, text)
      return withTimeout(first, request, async (signal) => {
        for (let url = first, redirects = 0; ; redirects++) {
          const local = toLocalInternet(env, url)
          if (!local) await checkAddresses(url.hostname, resolve, signal)
          const response = await open(send, local ?? url, request, signal)
          if (!isRedirect(response)) return readReply(url, response, request, signal)
          const location = response.headers.get('location')
          await response.body?.cancel()
          if (location === null || redirects === OUTBOUND.redirectsMax)
            refuse('OUTBOUND_REDIRECT', { host: url.hostname })
          url = toDomainUrl(domain, location, url)
        }
      })
    },
    async toProvider(provider, path, request = {}) {
      const url = toProviderUrl(env, provider, path)
      return withTimeout(url, request, (signal) => exchange(send, url, request, signal))
    },
  }
}

/** Refuses a host with a private address among its addresses: the connection may use any of them. */
async function checkAddresses(host: string, resolve: Resolver, signal: AbortSignal): Promise<void> {
  const addresses = await resolve(host, signal)
  if (addresses.length === 0) refuse('OUTBOUND_HOST_UNKNOWN', { host })
  if (!addresses.every(isPublicAddress)) refuse('OUTBOUND_ADDRESS')
}

/** Runs a call with a time-out. Errors other than refusals may quote the URL and are replaced. */
async function withTimeout<T>(
  { hostname: host }: URL,
  { timeoutMs = OUTBOUND.timeoutMs }: OutboundRequest,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const toLate = () => new Refusal(violation('OUTBOUND_TIMEOUT', { host, seconds: Math.ceil(timeoutMs / 1000) }))
  try {
    return await within(timeoutMs, run(controller.signal), toLate, () => controller.abort())
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(violation('OUTBOUND_UNREACHABLE', { host }))
  }
}

const open = (
  send: Ports['fetch'],
  url: URL,
  { method = 'GET', headers = {}, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<Response> =>
  send(url.href, {
    method,
    headers: { 'user-agent': 'Netloom', ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal,
  })

const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400

async function exchange(
  send: Ports['fetch'],
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const response = await open(send, url, request, signal)
  if (!isRedirect(response)) return readReply(url, response, request, signal)
  await response.body?.cancel()
  return refuse('OUTBOUND_REDIRECT', { host: url.hostname })
}

async function readReply(
  url: URL,
  response: Response,
  { maxBytes = OUTBOUND.maxBytes }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const fail = (key: ErrorKey) => refuse(key, { host: url.hostname })
  const { bytes, isCut } = await readUpTo(maxBytes, response.body, signal)
  const text = new TextDecoder().decode(bytes)
  const json = (): unknown => {
    if (isCut) return fail('OUTBOUND_REPLY_INVALID')
    try {
      return JSON.parse(text)
    } catch {
      return fail('OUTBOUND_REPLY_INVALID')
    }
  }
  return { status: response.status, headers: response.headers, text, isCut, json }
}

/** Reads a body up to its limit. Decoded bytes count, so that decompression bombs are cut too. */
async function readUpTo(
  maxBytes: number,
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const bytes = new Uint8Array(maxBytes)
  const reader = body?.getReader()
  if (!reader) return { bytes: bytes.subarray(0, 0), isCut: false }
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  for (let length = 0; ;) {
    const { done, value = new Uint8Array() } = await reader.read()
    if (done) return { bytes: bytes.subarray(0, length), isCut: false }
    bytes.set(value.subarray(0, maxBytes - length), length)
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      return { bytes, isCut: true }
    }
  }
}
