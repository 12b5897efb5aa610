import { type Endpoint, type Input, type Output, bodyKinds } from '#contract/kernel/endpoint.ts'
import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import { RESULT } from '#contract/kernel/result.ts'

/* Calls of a running product by scripts and tests, and codes and mails from its local outbox. */

/** Call with the token of a signed-in person. */
export type Call = <E extends Endpoint>(spec: E, input: Input<E>) => Promise<Output<E>>

/** Calls one endpoint of the contract; throws the message of a refusal. */
export async function callEndpoint<E extends Endpoint>(
  origin: string,
  mount: string,
  spec: E,
  input: Input<E>,
  token = '',
  onHeaders?: (headers: Headers) => void,
  /** Body of an endpoint whose body is a `stream`. */
  file?: Blob,
): Promise<Output<E>> {
  const isQuery = spec.method === 'GET' || file !== undefined
  const query = isQuery ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const hasForm = bodyKinds(spec).includes('multipart')
  const body = file ?? (hasForm ? toForm(input as object) : JSON.stringify(input))
  const response = await fetch(`${origin}${mount}/${spec.path}${query}`, {
    method: spec.method,
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(spec.method === 'POST' && { body }),
  })
  onHeaders?.(response.headers)
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Output<E> }
  if (code !== RESULT.ok) throw new Error(`${spec.path}: ${code} ${msg} ${JSON.stringify(data)}`)
  return data
}

/** Answer of an endpoint that gives a file; null if there is none, throws the message of another refusal. */
export async function fetchFile<E extends Endpoint>(
  origin: string,
  mount: string,
  spec: E,
  input: Input<E>,
  token: string,
): Promise<Response | null> {
  const response = await fetch(`${origin}${mount}/${spec.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  })
  if (response.headers.has('content-disposition')) return response
  const { code, msg } = (await response.json()) as { code: number; msg: string }
  if (code === RESULT.notFound) return null
  throw new Error(`${spec.path}: ${code} ${msg}`)
}

/** Calls of an account's console. A session has a limit of writes in a minute, and is replaced once it is spent. */
export function consoleCalls(origin: string, openSession: () => Promise<string>): Call {
  let [session, writesLeft] = [Promise.resolve(''), 0]
  return async (spec, input) => {
    if (writesLeft === 0) {
      ;[session, writesLeft] = [openSession(), WRITE_BUDGET.limit]
      session.catch(() => (writesLeft = 0)) // the next call signs in again
    }
    if (spec.method === 'POST') writesLeft -= 1
    return callEndpoint(origin, '/api/v1', spec, input, await session)
  }
}

function toForm(input: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) {
    const fields = Array.isArray(value)
      ? value.map((one, i) => [`${name}[${i}]`, one] as const)
      : [[name, value] as const]
    for (const [key, one] of fields) form.append(key, one instanceof Blob ? one : String(one))
  }
  return form
}

const ARRIVES_MS = 5_000

/** Newest captcha, code or mail from the local outbox; the code of a recovery arrives after the answer. */
export async function outboxItem(
  origin: string,
  kind: 'captcha' | 'sms' | 'mail',
  filter: { uniqid?: string; to?: string },
): Promise<{ readonly code: string; readonly text: string }> {
  for (const until = Date.now() + ARRIVES_MS; ;) {
    const response = await fetch(`${origin}/__local/outbox?${new URLSearchParams({ kind, ...filter })}`)
    const { items } = (await response.json()) as { items: { code: string; text: string }[] }
    const [newest] = items
    if (newest) return newest
    if (Date.now() > until) throw new Error(`outbox: no ${kind} for ${JSON.stringify(filter)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
