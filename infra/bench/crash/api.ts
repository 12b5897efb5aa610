import { decodeJwt } from 'jose'
import type { Endpoint, Input, Output } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { Stack } from '../stack.ts'
import { loginApi } from '#contract/login/index.ts'

/** `code` 0: no answer came; -1: nothing listened, so that nothing was sent. */
export interface Answer<T> {
  readonly code: number
  readonly data: T | null
  readonly requestId: string
  /** Catalogue key of a refusal. */
  readonly reason: string
}

/** A signed-in person. */
export interface Session {
  readonly username: string
  readonly id: string
  ask<E extends Endpoint>(spec: E, input: Input<E>): Promise<Answer<Output<E>>>
}

const ANSWER_MS = 15_000

/** Signs in by a link of the operator's: no session writes more than its budget of a minute, so that many are needed. */
export async function openSession({ origin, operatorToken }: Stack, username: string): Promise<Session> {
  const { url } = await callEndpoint(origin, '/ops/v1', opsApi.tokenLink, { account: username }, operatorToken)
  const link = { token: new URL(url).searchParams.get('token') ?? '' }
  const { access_token: token } = await callEndpoint(origin, '/api/v1', loginApi.authorization, link)
  return {
    username,
    id: String(decodeJwt(token)['sid']),
    ask: (spec, input) => ask(origin, token, spec, input),
  }
}

async function ask<E extends Endpoint>(
  origin: string,
  token: string,
  spec: E,
  input: Input<E>,
): Promise<Answer<Output<E>>> {
  const query = spec.method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  try {
    const response = await fetch(`${origin}/api/v1/${spec.path}${query}`, {
      method: spec.method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(spec.method === 'POST' && { body: JSON.stringify(input) }),
    })
    const { code, data, reason = '' } = (await response.json()) as { code: number; data: Output<E>; reason?: string }
    return { code, data, reason, requestId: response.headers.get('x-request-id') ?? '' }
  } catch (error) {
    const isRefused = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
    return { code: isRefused ? -1 : 0, data: null, reason: '', requestId: '' }
  }
}
