import { createHash } from 'node:crypto'
import { clientApi } from '#contract/client/index.ts'
import type { Endpoint, Input, Output } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { hasZeroBits } from '#domain/verify/proof-of-work.ts'

/** A refusal of the service, in its own words. */
export class Refused extends Error {
  readonly code: number
  readonly reason: string
  readonly difficulty: number
  constructor(code: number, msg: string, reason: string, difficulty: number) {
    super(msg)
    this.code = code
    this.reason = reason
    this.difficulty = difficulty
  }
}

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly reason?: string
  readonly data: { readonly difficulty?: number } | null
}

async function send<E extends Endpoint>(server: string, spec: E, input: Input<E>, token = ''): Promise<Output<E>> {
  const query = spec.method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const response = await fetch(new URL(`/api/v1/${spec.path}${query}`, server), {
    method: spec.method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(spec.method === 'POST' && { body: JSON.stringify(input) }),
  })
  const { code, msg, reason = '', data } = (await response.json()) as Envelope
  if (code !== RESULT.ok) throw new Refused(code, msg, reason, data?.difficulty ?? 0)
  return spec.output.parse(data) as Output<E>
}

/** Signs in; where many failures at this name or address ask for work, does that work and tries once more. */
export async function login(server: string, input: Input<typeof clientApi.login>) {
  try {
    return await send(server, clientApi.login, input)
  } catch (error) {
    if (!(error instanceof Refused) || error.reason !== 'WORK_REQUIRED') throw error
    const { challenge } = await send(server, verifyApi.challenge, { purpose: 'client_login' })
    return send(server, clientApi.login, { ...input, challenge, nonce: solve(challenge, error.difficulty) })
  }
}

export const readSources = (server: string, code: string) => send(server, clientApi.authSource, { code })
export const startAuth = (server: string, input: Input<typeof clientApi.authStart>) =>
  send(server, clientApi.authStart, input)
export const pollAuth = (server: string, input: Input<typeof clientApi.authToken>) =>
  send(server, clientApi.authToken, input)

export const refresh = (server: string, refresh_token: string) => send(server, clientApi.refresh, { refresh_token })
export const readProfile = (server: string, token: string) => send(server, clientApi.profile, {}, token)
export const logout = (server: string, refresh_token: string) => send(server, clientApi.logout, { refresh_token })

function solve(challenge: string, bits: number): string {
  for (let n = 0; ; n++)
    if (hasZeroBits(createHash('sha256').update(`${challenge}.${n}`).digest(), bits)) return String(n)
}
