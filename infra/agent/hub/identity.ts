import { randomUUID } from 'node:crypto'
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair, importJWK } from 'jose'
import { z } from 'zod'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import { AGENT, DEVICE_TOKEN } from '#contract/kernel/hub-limits.ts'
import type { ActivationCode } from './activation-code.ts'
import type { Clock } from '../clock.ts'
import { type Log, messageOfError } from '../log.ts'
import type { Store } from '../store.ts'

/* Identity of the device: its key, its registration with the activation code, and a short token for each connection. */

const ALGORITHM = 'EdDSA'
const AUDIENCE = 'netloom-device'
const RECORD = 'identity'
const TOKEN_LATE_S = DEVICE_TOKEN.leewaySeconds + REQUEST_TIMEOUT_MS / 1000 // beyond it the clock is wrong, not the reply slow

const envelope = z.object({
  code: z.int(),
  msg: z.string(),
  reason: z.string().optional(),
  data: z.looseObject({ retry_after: z.number().positive().optional() }).nullish().catch(null),
})
const DISABLED = 'DEVICE_DISABLED' satisfies ErrorKey
const BUSY = 'ADDRESS_BUSY' satisfies ErrorKey
const stored = z.object({
  serial: z.string(),
  enrolled: z.boolean(),
  key: z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
})

/** Reason why the server refuses a connection. */
export interface Refusal {
  readonly message: string
  /** True if its account has disabled the device. */
  readonly isDisabled?: boolean
  /** True if nothing listens at the service's address, or a proxy answers in its place. */
  readonly isRestarting: boolean
  /** Wait that a service asks for which is not ready for this device. */
  readonly retryAfterMs?: number
}

/** Error in the words of the service, and the wait that it asks for before the next try. */
export class ServiceRefusal extends Error {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Error of a service that is away, as during a restart; a device whose own line is down gets other errors. */
class ServiceAway extends Error {}

export interface IdentityPorts {
  readonly clock: Clock
  readonly store: Store
  readonly log: Log
  readonly fetch: typeof fetch
  /** Address of the service that is tried or connected: an origin. */
  readonly server: () => string
  readonly serial: string
  /** Printed on the device; needed until its key is registered. */
  readonly activationCode: ActivationCode
  /** Called when the key was registered. */
  readonly enrolled?: () => Promise<void>
}

/** An Ed25519 pair as a private JWK: the shape kept in the state folder, and what a fleet file may carry. */
export async function createDeviceKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  return exportJWK(privateKey)
}

export const publicPart = ({ kty, crv, x }: JWK): JWK => ({ kty, crv, x }) as JWK

export class DeviceIdentity {
  private readonly ports: IdentityPorts
  private readonly jwk: JWK
  private readonly key: CryptoKey
  private enrolled: boolean
  /** Server time less our monotonic clock, once known: a device without a battery starts in 1970, and jumps later. */
  private serverOffsetMs: number | null = null

  private constructor(ports: IdentityPorts, jwk: JWK, key: CryptoKey, enrolled: boolean) {
    this.ports = ports
    this.jwk = jwk
    this.key = key
    this.enrolled = enrolled
  }

  /** Throws if the stored identity belongs to another device. */
  static async load(ports: IdentityPorts): Promise<DeviceIdentity> {
    const kept = stored.safeParse(await ports.store.load(RECORD))
    if (kept.success && kept.data.serial !== ports.serial) {
      throw new Error(`the state folder belongs to ${kept.data.serial}, not to ${ports.serial}`)
    }
    const jwk = kept.success ? (kept.data.key as JWK) : await createDeviceKey()
    const key = (await importJWK(jwk, ALGORITHM)) as CryptoKey
    const identity = new DeviceIdentity(ports, jwk, key, kept.success && kept.data.enrolled)
    if (!kept.success) await identity.keep()
    return identity
  }

  /** Imports a key that is registered already, so that no code is needed. */
  static adopt(store: Store, serial: string, key: JWK): Promise<void> {
    return store.save(RECORD, { serial, enrolled: true, key })
  }

  /** Server time as far as known, epoch ms. */
  serverNow(): number {
    const { clock } = this.ports
    return this.serverOffsetMs === null ? clock.now() : clock.monotonic() + this.serverOffsetMs
  }

  syncClock(serverMs: number): void {
    this.serverOffsetMs = serverMs - this.ports.clock.monotonic()
  }

  /** Headers of one connection. Registers the key first if necessary. */
  async authorize(): Promise<Record<string, string>> {
    const code = this.enrolled ? null : await this.ports.activationCode.read()
    if (code !== null) await this.enrol(code)
    return this.headers()
  }

  /** The hub has taken a connection: the server knows this key. */
  async accepted(): Promise<void> {
    if (!this.enrolled) {
      this.enrolled = true
      await this.keep()
    }
    await this.ports.activationCode.forget()
  }

  /**
   * Reason why the server refuses this device; null if it does not refuse it or cannot be asked.
   *
   * @param extra headers of a connection beside the device's token.
   */
  async explain(extra: Readonly<Record<string, string>>): Promise<Refusal | null> {
    try {
      const signedAt = this.serverNow()
      const answer = await this.ask('connect', { headers: { ...extra, ...(await this.headers()) } })
      const { code, msg, reason } = answer
      const waitMs = toWaitMs(answer)
      if (code === RESULT.ok) return null
      const refusal = {
        message: msg,
        isDisabled: reason === DISABLED,
        isRestarting: false,
        ...(waitMs > 0 && { retryAfterMs: waitMs }),
      }
      if (code !== RESULT.badToken) return refusal
      const offSeconds = Math.round((this.serverNow() - signedAt) / 1000)
      if (Math.abs(offSeconds) > TOKEN_LATE_S)
        return { ...refusal, message: `${msg} (the clock of this device was ${offSeconds} s off: corrected)` }
      this.enrolled = false // perhaps reset by the operator: register again, if there is a code
      return (await this.ports.activationCode.read()) === null
        ? { ...refusal, message: `${msg} (a device that was reset needs its new code: --code-file)` }
        : refusal
    } catch (error) {
      return error instanceof ServiceAway ? { message: error.message, isRestarting: true } : null
    }
  }

  private async enrol(activationCode: string): Promise<void> {
    const { serial, log } = this.ports
    const answer = await this.ask('enrol', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ serial, activation_code: activationCode, public_key: publicPart(this.jwk) }),
    })
    // A registered key is refused too: it may be our own, if an earlier answer was lost. Connecting will show.
    if (answer.code === RESULT.forbidden) return log(`enrolment: ${answer.msg}`)
    if (answer.code !== RESULT.ok) throw new ServiceRefusal(answer.msg, toWaitMs(answer))
    log('enrolled: the key of this device is registered')
    await this.ports.enrolled?.()
    await this.accepted()
  }

  private async headers(): Promise<Record<string, string>> {
    const now = Math.floor(this.serverNow() / 1000)
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(this.ports.serial)
      .setAudience(AUDIENCE)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + AGENT.tokenSeconds)
      .sign(this.key)
    return { authorization: `Bearer ${token}` }
  }

  private async ask(path: 'connect' | 'enrol', init: RequestInit): Promise<z.infer<typeof envelope>> {
    let response: Response
    try {
      const url = new URL(`/device/v1/${path}`, this.ports.server())
      response = await this.ports.fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    } catch (error) {
      const { cause } = error instanceof Error ? error : {}
      const message = `the server cannot be reached (${messageOfError(cause ?? error)})`
      const isRefused = (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
      throw isRefused ? new ServiceAway(message, { cause: error }) : new Error(message, { cause: error })
    }
    this.syncClockFromHeader(response.headers.get('date'))
    const answer = envelope.safeParse(await response.json().catch(() => null))
    if (answer.success) return answer.data
    const message = `the server answered ${response.status} without an explanation`
    throw response.status >= 500 ? new ServiceAway(message) : new Error(message)
  }

  /** Sets the clock from a header. It has whole seconds, so only a large difference counts. */
  private syncClockFromHeader(date: string | null): void {
    const serverMs = date === null ? Number.NaN : Date.parse(date)
    if (Math.abs(serverMs - this.serverNow()) > 3_000) this.syncClock(serverMs)
  }

  private async keep(): Promise<void> {
    await this.ports.store.save(RECORD, { serial: this.ports.serial, enrolled: this.enrolled, key: this.jwk })
  }
}

/** Wait that an answer asks for: of a service that is busy, or that takes few calls of this address. 0: none. */
const toWaitMs = ({ code, reason, data }: z.infer<typeof envelope>): number =>
  code === RESULT.away || reason === BUSY ? (data?.retry_after ?? 0) * 1000 : 0
