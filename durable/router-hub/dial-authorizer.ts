import { CLIENT_SYSTEMS } from '#contract/client/systems.ts'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { DialRequest, HubFrame } from '#contract/kernel/protocol.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import { type DialAccount, checkToken, isDialAllowed } from '#domain/client/dial.ts'
import { failureOf } from '#domain/client/member.ts'
import { isProfileOpen } from '#domain/client/profile.ts'
import { addressBlock } from '#domain/login/address-block.ts'
import { checkAttempts } from '#domain/login/sign-in.ts'
import { logFault } from '#durable/fault-log.ts'
import {
  recordFailedDial,
  selectDialMember,
  selectDialMemberByName,
  selectIsInNetwork,
} from '#features/client/sql/dials.ts'
import { insertLoginRecords } from '#features/client/sql/members.ts'
import { type ProfileRecord, recordProfileDial, selectDialProfile } from '#features/client/sql/profiles.ts'
import { type DialClaims, isDialToken, readDialToken } from '#security/dial-token.ts'
import { type RouterState, loadDocument } from './state/storage.ts'

/* Decides dials of software members into the router: by token and document, for a profile also by its row. */

interface DialAuthorizerDeps {
  readonly env: Env
  readonly hub: HubName
  readonly storage: DurableObjectStorage
  state(): RouterState
  send(frame: HubFrame): void
  waitUntil(work: Promise<unknown>): void
}

/** Admission of a dial. A new one says what the device gives back when the session is renewed. */
interface Admitted {
  readonly profile?: number | null
  readonly credential_version?: number
}
type Decision = Admitted | Violation

const RENEWED: Admitted = {}

export class DialAuthorizer {
  private readonly deps: DialAuthorizerDeps
  private open = 0

  constructor(deps: DialAuthorizerDeps) {
    this.deps = deps
  }

  request(request: DialRequest, now: number): void {
    if (this.open >= DIAL_TOKEN.openMax) return this.answer(request.id, violation('DIAL_BUSY'))
    this.open += 1
    this.deps.waitUntil(this.decide(request, now))
  }

  private async decide(request: DialRequest, now: number): Promise<void> {
    try {
      this.answer(request.id, await this.check(request, now))
    } catch (error) {
      logFault(this.deps.hub, 'dials', error)
      this.answer(request.id, violation('DIAL_BUSY'))
    } finally {
      this.open -= 1
    }
  }

  private answer(id: string, decision: Decision): void {
    if ('key' in decision)
      return this.deps.send({
        t: 'client_auth_result',
        id,
        ok: false,
        reason: toMessage(decision),
        cause: decision.key,
      })
    this.deps.send({ t: 'client_auth_result', id, ok: true, reason: '', ...decision })
  }

  private async check(request: DialRequest, now: number): Promise<Decision> {
    const account = this.accountOf(request)
    if (request.renewed) return this.checkRenewed(request, account, now)
    const claims = await readDialToken(this.deps.env.HMAC_SECRET, request.secret)
    if (!claims) return this.refuseText(request, now)
    if (!account || !isDialAllowed(claims, account, request.network_number, now))
      return this.refuseToken(request, claims, now)
    const { profileId: profile } = claims
    const admitted = { profile, credential_version: account.credential_version }
    if (profile === null) return admitted
    const row = await this.findOpenProfile(profile, account, request, now)
    if (row === null) return this.refuseProfile(request, account, now)
    this.deps.waitUntil(this.recordDial(row, now))
    return admitted
  }

  /**
   * The document loses an account with the member's status and membership, and the device refuses sessions that are older
   * than the account's entry, which a new password changes. Profile and version are those of the session's first dial; an
   * earlier agent sends neither. Without the database the profile counts as open: its revocation ends sessions by a job.
   */
  private async checkRenewed(request: DialRequest, account: DialAccount | null, now: number): Promise<Decision> {
    const { profile = null, credential_version: version = null } = request
    if (!account || (version !== null && version !== account.credential_version)) return violation('DIAL_TOKEN_REVOKED')
    if (profile === null) return RENEWED
    try {
      const row = await this.findOpenProfile(profile, account, request, now)
      return row === null ? violation('DIAL_PROFILE_OVER') : RENEWED
    } catch (error) {
      logFault(this.deps.hub, 'dials', error)
      return RENEWED
    }
  }

  private async findOpenProfile(profileId: number, { id: memberId }: DialAccount, request: DialRequest, now: number) {
    const wanted = { profileId, memberId, networkNumber: request.network_number }
    const [row] = await selectDialProfile(openPrimary(this.deps.env), wanted)
    return row && isProfileOpen(row, now) ? row : null
  }

  /** Time of the last dial, for lists: a lost one does no harm. */
  private async recordDial(row: ProfileRecord, now: number): Promise<void> {
    try {
      await recordProfileDial(openPrimary(this.deps.env), row, now)
    } catch (error) {
      logFault(this.deps.hub, 'dials', error)
    }
  }

  private async refuseProfile(request: DialRequest, { id }: DialAccount, now: number): Promise<Violation> {
    const refused = violation('DIAL_PROFILE_OVER')
    const accountId = this.networkAccount(request)
    await this.record(request, await selectDialMember(openPrimary(this.deps.env), accountId, id, now), refused, now)
    return refused
  }

  private accountOf({ network_number, name }: DialRequest): DialAccount | null {
    const network = loadDocument(this.deps.storage)?.networks.find((one) => one.network_number === network_number)
    const accounts = network?.servers?.flatMap((server) => server.accounts) ?? []
    const found = accounts.find((one) => one.name.toLowerCase() === name.toLowerCase())
    return found ? { id: found.id, credential_version: found.credential_version ?? 0 } : null
  }

  /** Account of the network: on a node that of a customer. */
  private networkAccount({ network_number: dialled }: DialRequest): number {
    const { router } = this.deps.state()
    return router?.networks.find(({ number }) => number === dialled)?.accountId ?? router?.accountId ?? 0
  }

  /** Token of this service that does not allow the dial: its reason is that of the stored member. */
  private async refuseToken(request: DialRequest, claims: DialClaims, now: number): Promise<Violation> {
    const accountId = this.networkAccount(request)
    const db = openPrimary(this.deps.env)
    const { members, networks } = await batch(db, {
      members: selectDialMember(db, accountId, claims.memberId, now),
      networks: selectIsInNetwork(db, accountId, claims.memberId, request.network_number),
    })
    const isInNetwork = networks[0]?.[0] === 1
    const member = members[0] ? { ...members[0], isInNetwork } : null
    const refused = checkToken(claims, member, request.network_number, now)
    if (refused.key !== 'DIAL_PENDING') await this.record(request, members, refused, now)
    return refused
  }

  /** Text that is no token of this service: a guess, or a password. */
  private async refuseText(request: DialRequest, now: number): Promise<Violation> {
    const accountId = this.networkAccount(request)
    const db = openPrimary(this.deps.env)
    const name = request.name.toLowerCase()
    const found = await batch(db, {
      members: selectDialMemberByName(db, accountId, name, now),
      ...recordFailedDial(db, accountId, name, addressBlock(request.remote), now),
    })
    const counters = [
      { attempts: found.atAddress[0], limit: DIAL_TOKEN.failures },
      { attempts: found.ofAddress[0], limit: DIAL_TOKEN.failuresPerAddress },
    ]
    const refused =
      checkAttempts(counters, now, 'DIAL_PAUSED') ??
      violation(isDialToken(request.secret) ? 'DIAL_TOKEN_WRONG' : 'DIAL_PASSWORD')
    await this.record(request, found.members, refused, now)
    return refused
  }

  private async record(
    { remote, os, version }: DialRequest,
    members: Parameters<typeof insertLoginRecords>[1],
    refused: Violation,
    now: number,
  ): Promise<void> {
    const system = CLIENT_SYSTEMS.find((one) => one === os) ?? ''
    const device = { os: system, version, sys_brand: '', sys_model: '', sys_version: '', capabilities: null } as const
    const db = openPrimary(this.deps.env)
    await batch(db, { record: insertLoginRecords({ db, ip: remote, now }, members, device, failureOf(refused)) })
  }
}
