import type { DirectoryActor } from '../../worker/contract/directory-hub.ts'
import { Refusal } from '../../worker/contract/errors.ts'
import type { Hubs, OutboxEntry } from '../../worker/contract/hubs.ts'
import { violation } from '../../worker/contract/result.ts'
import { openPrimary } from '../../worker/db/client.ts'
import { deliverWrite } from '../../worker/db/hub-outbox.ts'
import type { KeptRow } from '../../worker/db/ldap-members.ts'
import { currentRequestId } from '../fault-log.ts'
import { type Work, applyWork } from './apply.ts'
import type { Owner } from './database.ts'
import { type Writer, restore } from './member-writes.ts'
import type { DirectoryStorage, UndoPart } from './storage.ts'

export interface WritePorts {
  readonly env: Env
  readonly hubs: Hubs
  storage(): DirectoryStorage
  waitUntil(work: Promise<unknown>): void
}

/** Writes members in portions, keeps what takes each back, and delivers the hub outbox. */
export class MemberWriter {
  readonly ports: WritePorts

  constructor(ports: WritePorts) {
    this.ports = ports
  }

  /** `by` null: a run. */
  async write(
    owner: Owner,
    runId: string,
    work: Work,
    by: DirectoryActor | null,
    onWritten: (members: number) => void = () => {},
  ): Promise<void> {
    if (owner.sign === null) throw new Refusal(violation('LDAP_SIGN_REQUIRED'))
    const writers: Writer[] = []
    const createWriter = () => {
      const writer = this.createWriter(owner, by)
      writers.push(writer)
      return writer
    }
    try {
      await applyWork(createWriter, work, {
        network: owner.networkNumber,
        max: owner.max,
        onWritten: (part: UndoPart, members) => {
          this.ports.storage().addUndo(runId, part, Date.now())
          onWritten(members)
        },
      })
    } finally {
      this.deliver(
        owner,
        writers.flatMap(({ hubOutbox }) => hubOutbox),
      )
    }
  }

  createWriter({ accountId, accountHub, sign }: Owner, by: DirectoryActor | null): Writer {
    const requestId = currentRequestId() ?? ''
    return {
      db: openPrimary(this.ports.env),
      now: Date.now(),
      session: null,
      ip: by?.ip ?? '',
      requestId,
      hubOutbox: [],
      accountId,
      accountHub,
      sign: sign ?? '',
      by,
    }
  }

  /** What a crash loses, the cron delivers. */
  deliver({ accountHub }: Owner, entries: readonly OutboxEntry[]): void {
    if (entries.length === 0) return
    const db = openPrimary(this.ports.env)
    this.ports.waitUntil(deliverWrite(db, this.ports.hubs, async () => accountHub, entries))
  }

  async restore(owner: Owner, rows: readonly KeptRow[], by: DirectoryActor): Promise<void> {
    const writer = this.createWriter(owner, by)
    await restore(writer, rows)
    this.deliver(owner, writer.hubOutbox)
  }
}
