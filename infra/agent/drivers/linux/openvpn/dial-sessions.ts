import { z } from 'zod'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import type { Store } from '#infra/agent/store.ts'

/* Sessions of software members that were admitted, by the id in OpenVPN's own token: a renewed session names no more. */

const RECORD = 'dial-sessions'
/** Most sessions that are kept; one that was dropped dials by its token again. */
const KEPT_MAX = 4_000

const dialSession = z.object({
  id: z.string(),
  network: z.string(),
  name: z.string(),
  /** Profile that it dialled with; null for a token of the client application. */
  profile: z.int().nullable(),
  /** Null if the hub did not say. */
  version: z.int().nullable(),
})
export type DialSession = z.infer<typeof dialSession>

export class DialSessions {
  private readonly store: Store
  private readonly log: Log
  /** The one admitted last is the last. */
  private readonly byId: Map<string, DialSession>
  private readonly endingsByMember = new Map<string, number>()
  private saving: Promise<void> | null = null
  private isDirty = false

  private constructor(store: Store, log: Log, kept: readonly DialSession[]) {
    this.store = store
    this.log = log
    this.byId = new Map(kept.map((each) => [each.id, each]))
  }

  static async open(store: Store, log: Log): Promise<DialSessions> {
    return new DialSessions(store, log, z.array(dialSession).safeParse(await store.load(RECORD)).data ?? [])
  }

  find(id: string): DialSession | null {
    return this.byId.get(id) ?? null
  }

  /** The session of a member in a network that was admitted last: OpenVPN has no other one. */
  last(network: string, name: string): DialSession | null {
    return [...this.byId.values()].findLast((each) => each.network === network && each.name === name) ?? null
  }

  /** A crash before it is on disk costs a renewed session one more dial. */
  add(session: DialSession): void {
    this.byId.delete(session.id)
    this.byId.set(session.id, session)
    for (const id of [...this.byId.keys()].slice(0, -KEPT_MAX)) this.byId.delete(id)
    this.save()
  }

  /** Number of times that sessions of a member were ended: a dial that was let in before is over as well. */
  endings(network: string, name: string): number {
    return this.endingsByMember.get(memberKey(network, name)) ?? 0
  }

  /** Forgets sessions of a member, so that none is renewed. @param profile those of one profile; null for all. */
  forget(network: string, name: string, profile: number | null): void {
    this.endingsByMember.set(memberKey(network, name), this.endings(network, name) + 1)
    for (const each of this.byId.values())
      if (each.network === network && each.name === name && (profile === null || profile === each.profile))
        this.byId.delete(each.id)
    this.save()
  }

  /** One write at a time: many dials at once are one write. */
  private save(): void {
    this.isDirty = true
    this.saving ??= this.write().finally(() => (this.saving = null))
  }

  private async write(): Promise<void> {
    while (this.isDirty) {
      this.isDirty = false
      await this.store
        .save(RECORD, [...this.byId.values()])
        .catch((error: unknown) => this.log(`sessions of dials are not stored: ${messageOfError(error)}`))
    }
  }
}

const memberKey = (network: string, name: string): string => `${network} ${name}`
