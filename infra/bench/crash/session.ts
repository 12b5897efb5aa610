import { decodeJwt } from 'jose'
import type { Endpoint, Input, Output } from '#contract/kernel/endpoint.ts'
import { openSession as openToken } from '../account.ts'
import type { Server } from '../stack.ts'

/** `code` 0: no answer came; -1: nothing listened, so that nothing was sent. */
export interface Answer<T> {
  readonly code: number
  readonly data: T | null
  readonly requestId: string
}

/** A signed-in person. */
export interface Session {
  readonly id: string
  ask<E extends Endpoint>(spec: E, input: Input<E>): Promise<Answer<Output<E>>>
}

const ANSWER_MS = 15_000

export async function openSession(server: Server, username: string): Promise<Session> {
  const token = await openToken(server, username)
  return { id: String(decodeJwt(token)['sid']), ask: (spec, input) => ask(server.origin, token, spec, input) }
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
    const { code, data } = (await response.json()) as { code: number; data: Output<E> }
    return { code, data, requestId: response.headers.get('x-request-id') ?? '' }
  } catch (error) {
    const isRefused = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
    return { code: isRefused ? -1 : 0, data: null, requestId: '' }
  }
}
