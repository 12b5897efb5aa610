import type { DeviceIdentity, HubName } from '#contract/kernel/hubs.ts'
import { issueReturnTicket } from '#security/return-ticket.ts'
import { logFault } from '#durable/fault-log.ts'
import { type RouterFacts, loadTicket, saveTicket } from './state/storage.ts'

interface ReturnTicketsDeps {
  readonly env: Env
  readonly hub: HubName
  readonly storage: DurableObjectStorage
  router(): RouterFacts | null
  /** Stores facts with a generation that has begun. */
  update(router: RouterFacts): void
  /** Reads the rows again: until that is done, no ticket counts. */
  requestRead(): void
}

/** Return tickets of the hub's device: the newest one is on disk, for the next welcomes. */
export class ReturnTickets {
  private readonly deps: ReturnTicketsDeps

  constructor(deps: ReturnTicketsDeps) {
    this.deps = deps
  }

  newest(): string | undefined {
    return loadTicket(this.deps.storage)?.text
  }

  /**
   * Issues a ticket. The first one of a device begins a generation. Where the rows said before that it may not connect, they
   * are read again.
   *
   * @param keepMs age up to which the newest ticket is kept
   */
  async renew({ publicKey, keyFingerprint }: DeviceIdentity, keepMs: number): Promise<void> {
    const { env, hub, storage } = this.deps
    const router = this.deps.router()
    const now = Date.now()
    const known = loadTicket(storage)
    if (!router?.deviceId || publicKey === undefined || (known && now - known.issuedAt < keepMs)) return
    const { accountId, deviceId, routerName, generation } = router
    const begun = { ...router, keyFingerprint, generation: generation ?? now }
    if (generation !== begun.generation) this.deps.update(begun)
    if (generation === null) this.deps.requestRead()
    const ticket = { hub, accountId, deviceId, routerName, key: publicKey, generation: begun.generation }
    try {
      const text = await issueReturnTicket(env.TICKET_KEYS, ticket, now)
      saveTicket(storage, { text, issuedAt: now })
    } catch (error) {
      logFault(hub, 'return ticket', error)
    }
  }
}
