import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import pkg from '#package.json' with { type: 'json' }
import { clientApi } from '#contract/client/index.ts'
import type { Output, Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { confirmCodeText } from '#domain/auth-source/sign-in-page.ts'
import { hasZeroBits } from '#domain/verify/proof-of-work.ts'
import { type Files, currentRelease, pointTo, readRelease, sweep, writeRelease } from '../drivers/release.ts'
import { renderOpenvpnClient } from '../drivers/render/openvpn-client.ts'
import type { ClientLine } from '../options.ts'
import { type DialOffer, dialNetwork } from './dial.ts'
import { type Store, folderStore } from '../store.ts'

/* Software client: signs a software member in and renders its networks as profiles for OpenVPN's own applications. */

const RECORD = 'session'
/** Device facts that the client sends about itself; the capabilities are those of the applications that dial. */
const DEVICE = { os: 'linux' as const, version: pkg.version, capabilities: ['ciphers:sm'] }
const kept = z.object({ router_name: z.string(), refresh_token: z.string() })

type Session = Output<typeof clientApi.refresh>
type Profile = Output<typeof clientApi.profile>

export async function runClient(line: ClientLine, print: (line: string) => void): Promise<void> {
  const store = await folderStore(line.state)
  if (line.isLeaving) return leave(line, store)
  const session = await openSession(line, store, print)
  if (line.dial !== null)
    return dialNetwork({ ...line, number: line.dial, print, offer: offersOf(line, store, session) })
  const profile = await send(line.server, clientApi.profile, {}, session.access_token)
  for (const row of describeProfile(profile)) print(row)
  await writeFiles(join(line.state, 'network'), profile)
}

/** Offers of a dial, each with a token of its own; the session is renewed once it has ended. */
function offersOf(line: ClientLine, store: Store, opened: Session): () => Promise<DialOffer> {
  let session = opened
  return async () => {
    const input = { network_number: line.dial ?? '' }
    try {
      return await send(line.server, clientApi.dial, input, session.access_token)
    } catch (error) {
      if (!(error instanceof Refused) || error.code < 2000) throw error
      session = (await renew(line.server, session.refresh_token)) ?? throwAgain(error)
      await keep(store, session)
      return send(line.server, clientApi.dial, input, session.access_token)
    }
  }
}

function throwAgain(error: unknown): never {
  throw error
}

const keep = (store: Store, { router_name, refresh_token }: Session): Promise<void> =>
  store.save(RECORD, { router_name, refresh_token })

/** Session of the last run, or a new one. A token is stored before it is used: its parent is accepted only once more. */
async function openSession(line: ClientLine, store: Store, print: (line: string) => void): Promise<Session> {
  const known = kept.safeParse(await store.load(RECORD)).data
  const session =
    (known?.refresh_token ? await renew(line.server, known.refresh_token) : null) ??
    (line.authSource === ''
      ? await login(line.server, {
          username: line.name,
          password: await readPassword(line.passwordFile),
          ...DEVICE,
        })
      : await signInByBrowser(line, print))
  await keep(store, session)
  return session
}

/** Renews the session; null if it is over (codes from 2000). */
async function renew(server: string, refresh_token: string): Promise<Session | null> {
  try {
    return await send(server, clientApi.refresh, { refresh_token })
  } catch (error) {
    if (error instanceof Refused && error.code >= 2000) return null
    throw error
  }
}

async function leave({ server }: ClientLine, store: Store): Promise<void> {
  const known = kept.safeParse(await store.load(RECORD)).data
  if (known?.refresh_token) await send(server, clientApi.logout, { refresh_token: known.refresh_token })
  await store.save(RECORD, null)
}

async function readPassword(file: string): Promise<string> {
  const all = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  return all.split('\n')[0]?.trim() ?? ''
}

const MODE = { 1: 'default', 2: 'centre first', 3: 'POP first' } as const

function describeProfile({ router_name, networks }: Profile): string[] {
  return [
    `${router_name}: ${networks.length} networks`,
    ...networks.flatMap(({ network_number, network_name, msg, dial }) => [
      `network ${network_number} ${network_name}${msg && ` (${msg})`}`,
      ...(dial ? [`  dial mode ${MODE[dial.mode]}, ciphers ${dial.ciphers}`] : []),
      ...(dial?.servers ?? []).map(
        ({ kind, router_name: name, remotes, ip, segment }) =>
          `  ${kind} ${name} at ${remotes.map(({ host, port }) => `${host}:${port}`).join(', ') || 'no known address'}: ${ip} in ${segment}`,
      ),
    ]),
  ]
}

/** Writes the profile as the files driver does: release by release, replaced atomically. */
async function writeFiles(folder: string, profile: Profile): Promise<void> {
  const files: Files = new Map(
    profile.networks.flatMap(({ network_number: number, dial }) => {
      const files = { ca: 'keys/ca.pem', control: `keys/${number}.key` }
      const text = dial && renderOpenvpnClient(dial, files)
      return text ? [[`client-${number}.ovpn`, text] as const] : []
    }),
  )
  const before = await currentRelease(folder)
  const name = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex')
    .slice(0, 16)
  if (name === before) return
  const old: Files = before ? await readRelease(folder, before) : new Map()
  await writeRelease(folder, name, files, before, old)
  await pointTo(folder, name)
  await sweep(folder, name).catch(() => {}) // leftovers are deleted by the next run
}

type Source = Output<typeof clientApi.authSource>[number]

/**
 * Signs in with a browser: prints the address and the code that its page asks about, and polls until the person has signed
 * in. The verifier does not leave this process before the session is fetched with it.
 */
async function signInByBrowser(
  { server, authSource, authType }: ClientLine,
  print: (line: string) => void,
): Promise<Session> {
  const { id, type } = chooseSource(await send(server, clientApi.authSource, { code: authSource }), authType)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const input = { source_code: authSource, type, id, challenge, device_name: hostname(), ...DEVICE }
  const started = await send(server, clientApi.authStart, input)
  print(`open this address in a browser and sign in, within ${Math.round(started.expires_in / 60)} minutes:`)
  print(started.url)
  print(`confirm there only if the page shows this device and the code ${confirmCodeText(started.confirm_code)}`)
  const until = Date.now() + started.expires_in * 1_000
  for (;;) {
    await sleep(started.interval * 1_000)
    const poll = send(server, clientApi.authToken, { request_id: started.request_id, verifier })
    const found = await poll.catch((error: unknown) => {
      if (error instanceof Refused || Date.now() > until) throw error // a lost connection is tried again
      return null
    })
    if (found?.session) return found.session
  }
}

/** The only source, or the requested one. Throws with the list of sources otherwise. */
function chooseSource(sources: readonly Source[], wanted: string): Source {
  const fitting = sources.filter(({ id, type }) => wanted === '' || wanted === type || wanted === String(id))
  const [source, ...others] = fitting
  if (source && others.length === 0) return source
  const choice = (source ? fitting : sources).map(({ id, type, name }) => `${id} (${type}, ${name})`).join(', ')
  throw new Error(
    choice === '' ? 'the account has no auth source that is enabled' : `choose one with --auth-type: ${choice}`,
  )
}

/** A refusal of the service, in its own words. */
class Refused extends Error {
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

/** Signs in. If the service asks for proof of work after many failures, does it and tries once more. */
async function login(server: string, input: Input<typeof clientApi.login>) {
  try {
    return await send(server, clientApi.login, input)
  } catch (error) {
    if (!(error instanceof Refused) || error.reason !== 'WORK_REQUIRED') throw error
    const { challenge } = await send(server, verifyApi.challenge, { purpose: 'client_login' })
    return send(server, clientApi.login, { ...input, challenge, nonce: solve(challenge, error.difficulty) })
  }
}

function solve(challenge: string, bits: number): string {
  for (let n = 0; ; n++)
    if (hasZeroBits(createHash('sha256').update(`${challenge}.${n}`).digest(), bits)) return String(n)
}
