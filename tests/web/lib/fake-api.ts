import { vi } from 'vitest'
import type { ErrorKey } from '#contract/kernel/errors.ts'

export interface RecordedCall {
  readonly path: string
  readonly method: string
  readonly input: Record<string, unknown>
  readonly token: string | null
  readonly headers: Headers
}

type Answer =
  | { code?: number; msg?: string; reason?: ErrorKey; data?: unknown; count?: number; request_id?: string }
  | Response
type Handler = Answer | ((call: RecordedCall) => Answer | Promise<Answer>)

/** For tests that reload the session: pages of earlier tests are other tabs and would be notified. */
export function noOtherTabs(): void {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      addEventListener() {}
      postMessage() {}
    },
  )
}

/** A handler that fails as the network does. */
export const failing = (error: unknown) => () => {
  throw error
}

function parseInput({ searchParams }: URL, body: RequestInit['body']): Record<string, unknown> {
  if (body instanceof FormData || body instanceof URLSearchParams) return Object.fromEntries(body)
  return body === undefined ? Object.fromEntries(searchParams) : (JSON.parse(String(body)) as Record<string, unknown>)
}

/** Answers `fetch` by path and records the calls. A path nobody set answers 404, as the Worker does. */
export function fakeApi(handlers: Record<string, Handler>) {
  const calls: RecordedCall[] = []
  const answers = new Map(Object.entries(handlers))
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'https://console.test')
    const headers = new Headers(init.headers)
    const call: RecordedCall = {
      path: url.pathname.replace('/api/v1/', ''),
      method: init.method ?? 'GET',
      input: parseInput(url, init.body),
      token: headers.get('authorization'),
      headers,
    }
    calls.push(call)
    const handler = answers.get(call.path) ?? { code: 404, msg: `no ${call.path}` }
    const answer = typeof handler === 'function' ? await handler(call) : handler
    if (answer instanceof Response) return answer
    return Response.json({ code: 200, msg: '', data: null, ...answer })
  })
  return {
    calls,
    paths: () => calls.map(({ path }) => path),
    last: (path: string) => calls.findLast((call) => call.path === path),
    set: (path: string, handler: Handler) => answers.set(path, handler),
  }
}
