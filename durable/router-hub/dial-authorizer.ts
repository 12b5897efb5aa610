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
import { type DialClaims, isDialToken, readDialToken } from '#security/dial-token.ts'
import { type RouterState, loadDocument } from './state/storage.ts'

/* Decides dials of software members into the router: by token and document alone, the database names only refusals. */

interface DialAuthorizerDeps {
  readonly env: Env
  readonly hub: HubName
  readonly storage: DurableObjectStorage
  state(): RouterState
  send(frame: HubFrame): void
  waitUntil(work: Promise<unknown>): void
}

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

  private answer(id: string, refused: Violation | null): void {
    this.deps.send({ t: 'client_auth_result', id, ok: refused === null, reason: refused ? toMessage(refused) : '' })
  }

  /**
   * A renewed dial only needs an account: the document loses it with the member's status and membership, and the device
   * refuses sessions that are older than the account's entry, which a new password changes.
   */
  private async check(request: DialRequest, now: number): Promise<Violation | null> {
    const account = this.accountOf(request)
    if (request.renewed) return account ? null : violation('DIAL_TOKEN_REVOKED')
    const claims = await readDialToken(this.deps.env.HMAC_SECRET, request.secret)
    if (claims && isDialAllowed(claims, account, request.network_number, now)) return null
    return claims ? this.refuseToken(request, claims, now) : this.refuseText(request, now)
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
