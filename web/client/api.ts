import type { clientApi } from '#contract/client/index.ts'
import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { solveChallenge } from '#lib/proof-of-work/proof-of-work.ts'
import { type NamedFile, Refused, adoptToken, send, sendForFile, sendPublic } from './requests.ts'

/* Calls of the client API. Types come from its contract, whose schemas would be most of the page's script. */

type Api = typeof clientApi
export type Profile = Output<Api['profile']>
export type Network = Profile['networks'][number]
export type ProfileRow = Output<Api['profiles']>[number]
export type Source = Output<Api['authSource']>[number]
export type Started = Output<Api['authStart']>
export type Choice = Output<Api['phoneLogin']>['choices'][number]
type Session = Output<Api['refresh']>

/** Facts about this device, for the record of the sign-in. */
function device() {
  const agent = navigator.userAgent
  const systems = [
    ['android', /Android/],
    ['ios', /iPhone|iPad|iPod/],
    ['windows', /Windows/],
    ['macos', /Mac OS/],
    ['linux', /Linux/],
  ] as const
  return { os: systems.find(([, pattern]) => pattern.test(agent))?.[0] ?? '', keep: 'cookie' } as const
}

const post = (path: string, input: object) => ({ method: 'POST', path, input }) as const
const get = (path: string, input: object = {}) => ({ method: 'GET', path, input }) as const

/** Proof of work of a sign-in, which costs a guesser more than a person. */
async function solveWork(difficulty = 0) {
  const { challenge, difficulty: bits } = (await sendPublic(get('verify/challenge', { purpose: 'client_login' }))) as {
    readonly challenge: string
    readonly difficulty: number
  }
  return { challenge, nonce: await solveChallenge(challenge, Math.max(bits, difficulty)) }
}

function adopt(session: Session): string {
  adoptToken(session.access_token)
  return session.router_name
}

export async function signIn(username: string, password: string): Promise<void> {
  const input: Input<Api['login']> = { username, password, ...device() }
  const login = async (work: object = {}) =>
    adopt((await sendPublic(post('client/login', { ...input, ...work }))) as Session)
  try {
    await login()
  } catch (error) {
    if (!(error instanceof Refused) || error.reason !== 'WORK_REQUIRED') throw error
    await login(await solveWork(error.difficulty))
  }
}

export async function sendCode(area_code: string, phone: string): Promise<string> {
  const input: Input<Api['phone']> = { area_code, phone, ...(await solveWork()) }
  return ((await sendPublic(post('client/phone', input))) as Output<Api['phone']>).uniqid
}

type PhoneSignIn = Pick<Input<Api['phoneLogin']>, 'uniqid' | 'area_code' | 'phone' | 'code' | 'router_name'>

/** Members of the phone to choose from; empty once signed in. */
export async function signInByPhone(input: PhoneSignIn): Promise<readonly Choice[]> {
  const reply = (await sendPublic(post('client/phone_login', { ...input, ...device() }))) as Output<Api['phoneLogin']>
  if (reply.session) adopt(reply.session)
  return reply.session ? [] : reply.choices
}

export const listSources = (code: string) => sendPublic(get('client/auth_source', { code })) as Promise<Source[]>

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Begins a sign-in by a vendor. The verifier stays in this page: nobody else can fetch the session. */
export async function startAuth(source_code: string, { id, type }: Source) {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const { os } = device()
  const input: Input<Api['authStart']> = {
    source_code,
    type,
    id,
    challenge: base64url(new Uint8Array(digest)),
    os,
    device_name: '浏览器',
  }
  return { ...((await sendPublic(post('client/auth/start', input))) as Started), verifier }
}

/** True once the person has signed in. */
export async function pollAuth(request_id: string, verifier: string): Promise<boolean> {
  const input: Input<Api['authToken']> = { request_id, verifier, keep: 'cookie' }
  const { session } = (await sendPublic(post('client/auth/token', input))) as Output<Api['authToken']>
  if (session) adopt(session)
  return session !== null
}

export const signOut = () => sendPublic(post('client/logout', {}))

export const readProfile = () => send(get('client/profile')) as Promise<Profile>
export const listProfiles = () => send(get('client/profiles')) as Promise<ProfileRow[]>

export const createProfile = (network_number: string, device_name: string): Promise<NamedFile> =>
  sendForFile(post('client/create_profile', { network_number, device_name } satisfies Input<Api['createProfile']>))

export const linkProfile = (profile_id: number) =>
  send(post('client/profile_link', { profile_id })) as Promise<Output<Api['profileLink']>>

export const revokeProfile = (profile_id: number) => send(post('client/revoke_profile', { profile_id }))
