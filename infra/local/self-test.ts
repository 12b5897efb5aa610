import type { Endpoint, Output } from '#contract/kernel/endpoint.ts'
import { PING, PONG } from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { SELF_TEST_SOCKET_PATH, selfTestOps } from '#contract/ops/endpoints/self-test.ts'
import { type ReleaseCounters, statusOps } from '#contract/ops/endpoints/status.ts'
import { openWebSocket } from '#infra/agent/agent-socket.ts'
import { messageOfError } from '#infra/agent/log.ts'

/* Self-test of a running product over its own address: a guard, a hub, a socket, the page and its script. */

/** Version of a Worker that a request is sent to while two of them share the traffic. */
interface VersionOverride {
  readonly worker: string
  readonly version: string
}

export interface SelfTest {
  /** Version that answered; '' in a local run. */
  readonly release: string
  readonly checks: readonly { readonly name: string; readonly fault: string | null }[]
}

const ANSWER_MS = 15_000
const UNKNOWN_PATH =
  'the Worker knows no self-test: it is of an earlier release, or answers /ops at another host (OPS_HOST)'

/** Runs all checks; the result names each fault. A version that does not answer for itself is a fault. */
export async function runSelfTest(origin: string, token: string, version?: VersionOverride): Promise<SelfTest> {
  const headers = version ? overrideHeaders(version) : {}
  const signed = { ...headers, authorization: `Bearer ${token}` }
  const [worker, socket, page] = await Promise.all([
    askWorker(origin, selfTestOps.selfTest, '', signed).catch((error: unknown) => messageOfError(error)),
    checkSocket(origin, signed),
    checkPage(origin, headers).catch((error: unknown) => messageOfError(error)),
  ])
  const answers = typeof worker === 'string' ? { release: '', guard: worker, hub: worker } : worker
  const isOther = version !== undefined && typeof worker !== 'string' && worker.release !== version.version
  return {
    release: answers.release,
    checks: [
      { name: 'release', fault: isOther ? `version ${answers.release || 'unknown'} answered for it` : null },
      { name: 'guard', fault: answers.guard },
      { name: 'hub', fault: answers.hub },
      { name: 'socket', fault: socket },
      { name: 'page', fault: page },
    ],
  }
}

type Headers = Readonly<Record<string, string>>

const overrideHeaders = ({ worker, version }: VersionOverride): Headers => ({
  'cloudflare-workers-version-overrides': `${worker}="${version}"`,
})

/** Answer of a read of the operator. */
async function askWorker<E extends Endpoint>(
  origin: string,
  spec: E,
  query: string,
  headers: Headers,
): Promise<Output<E>> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const response = await fetch(`${origin}/ops/v1/${spec.path}${query}`, { headers, signal })
  const text = await response.text()
  if (response.status === 404) fail(UNKNOWN_PATH)
  const body = parseAnswer<Output<E>>(text) ?? fail(`the Worker answered ${response.status} ${text.slice(0, 200)}`)
  return body.code === RESULT.ok ? body.data : fail(`the Worker answered ${body.code} ${body.msg}`)
}

function parseAnswer<T>(text: string) {
  try {
    return JSON.parse(text) as { code: number; msg: string; data: T }
  } catch {
    return null
  }
}

/** Counters by release, as this version answers them; null if no StatusHub keeps any. Throws if it does not answer. */
export async function readCounters(
  origin: string,
  token: string,
  override: VersionOverride,
  { spanS, agoS }: { readonly spanS: number; readonly agoS: number },
): Promise<readonly ReleaseCounters[] | null> {
  const headers = { ...overrideHeaders(override), authorization: `Bearer ${token}` }
  const query = `?${new URLSearchParams({ span_s: String(spanS), ago_s: String(agoS) })}`
  const { counters, releases } = await askWorker(origin, statusOps.status, query, headers)
  if (counters === 'away') throw new Error('the StatusHub does not answer')
  return counters === 'unbound' ? null : releases
}

/** Opens a socket to a hub and waits for the answer to its ping. */
function checkSocket(origin: string, headers: Headers): Promise<string | null> {
  const url = `${origin.replace(/^http/, 'ws')}/ops/v1/${SELF_TEST_SOCKET_PATH}`
  return new Promise((resolve) => {
    const end = (fault: string | null) => {
      clearTimeout(timer)
      resolve(fault)
      socket.close(1000, 'self-test')
    }
    const timer = setTimeout(() => end(`no ${PONG} within ${ANSWER_MS / 1000} s`), ANSWER_MS)
    const socket = openWebSocket(url, headers, {
      opened: () => socket.send(PING),
      message: (text) => end(text === PONG ? null : `the hub answered ${text.slice(0, 200)}`),
      closed: (code, reason) => end(`the socket closed with ${code}${reason && `: ${reason}`}`),
    })
  })
}

/** Fetches the console's page, and the script that it begins with. */
async function checkPage(origin: string, headers: Headers): Promise<string | null> {
  const page = await fetch(origin, { headers, signal: AbortSignal.timeout(ANSWER_MS) })
  const path = /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  if (!page.ok || path === undefined) return `the page answered ${page.status} ${path ? '' : 'and names no script'}`
  const script = await fetch(`${origin}${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS) })
  const isScript = script.headers.get('content-type')?.includes('javascript') === true
  const { length } = await script.text()
  return script.ok && isScript && length > 0 ? null : `${path} answered ${script.status} with ${length} characters`
}

function fail(message: string): never {
  throw new Error(message)
}

/** A line for each check. */
export const toReport = ({ release, checks }: SelfTest): string =>
  [
    `self-test of ${release || 'a local run'}`,
    ...checks.map(({ name, fault }) => `  ${name.padEnd(8)} ${fault ?? 'ok'}`),
  ].join('\n')

export const isPassed = ({ checks }: SelfTest): boolean => checks.every(({ fault }) => fault === null)
