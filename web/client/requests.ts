/* Requests to the client API, and the session in memory: the refresh token is in a cookie that no script reads. */

/** Refusal of the service in its own words, or a lost answer. */
export class Refused extends Error {
  readonly code: number
  /** Key of the refusal in the catalogue. */
  readonly reason: string
  readonly difficulty: number

  constructor(code: number, msg: string, reason = '', difficulty = 0) {
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
  readonly data: unknown
}

const OK = 200
/** Codes from here on: the session is over, or its access token is. */
const SESSION_OVER = 2_000
const TIMEOUT_MS = 30_000
const UNREACHABLE = '系统响应超时，请检查网络后重试'

interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly input: object
}

async function fetchOnce({ method, path, input }: Call, token: string): Promise<Response> {
  const query = method === 'GET' ? `?${new URLSearchParams({ ...input })}` : ''
  try {
    return await fetch(`/api/v1/${path}${query}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(input) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new Refused(0, UNREACHABLE)
  }
}

async function readEnvelope(response: Response): Promise<unknown> {
  const envelope = (await response.json().catch(() => null)) as Envelope | null
  if (envelope === null) throw new Refused(0, UNREACHABLE)
  if (envelope.code === OK) return envelope.data
  const { difficulty = 0 } = (envelope.data ?? {}) as { readonly difficulty?: number }
  throw new Refused(envelope.code, envelope.msg, envelope.reason, difficulty)
}

/** Call of anybody. */
export const sendPublic = async (call: Call): Promise<unknown> => readEnvelope(await fetchOnce(call, ''))

let accessToken = ''
let renewal: Promise<void> | null = null

export function adoptToken(token: string): void {
  accessToken = token
}

/** Renews the session by its cookie; several callers share one renewal, because the token rotates. */
export function renewSession(): Promise<void> {
  renewal ??= sendPublic({ method: 'POST', path: 'client/refresh', input: {} })
    .then((data) => adoptToken((data as { readonly access_token: string }).access_token))
    .finally(() => (renewal = null))
  return renewal
}

/** True for an error after which the session has to be renewed, or the person signs in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof Refused && error.code >= SESSION_OVER

/** Call of the signed-in member. An access token that is over is renewed once. */
async function sendSigned<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await read(await fetchOnce(call, accessToken))
  } catch (error) {
    if (!isSignedOut(error)) throw error
    await renewSession()
    return read(await fetchOnce(call, accessToken))
  }
}

export const send = (call: Call): Promise<unknown> => sendSigned(call, readEnvelope)

export interface NamedFile {
  readonly name: string
  readonly content: Blob
}

export const sendForFile = (call: Call): Promise<NamedFile> =>
  sendSigned(call, async (response) => {
    const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
    if (name !== undefined) return { name: decodeURIComponent(name), content: await response.blob() }
    await readEnvelope(response)
    throw new Refused(0, UNREACHABLE)
  })
