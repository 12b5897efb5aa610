import type { DirectoryActor } from '#contract/ldap/hub.ts'
import { Refusal, toMessage } from '#contract/kernel/errors.ts'
import type { Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { violation } from '#contract/kernel/result.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { type Statements, batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import { deliverWrite } from '#db/hub-outbox.ts'
import { guardConfig, insertRun, selectPortions } from '#features/ldap/sql/config.ts'
import { type Change, groupMoves } from '#domain/ldap/plan.ts'
import { NO_COUNTS, type Outside, countOutside } from '#domain/ldap/run.ts'
import { currentRequestId } from '#durable/fault-log.ts'
import { type Owner, type Recorded, toRunRow } from '../database.ts'
import { type DirectoryStorage, type UndoPart, addCounts, countsOfParts, outsideOf } from '../storage.ts'
import { addMembers } from './member-additions.ts'
import { changeMembers, setStatuses, deleteMembers, restore } from './member-changes.ts'
import type { Work, WriteContext } from './member-work.ts'

/* Writes directory members in portions with undo records, and delivers the hub outbox. */

export interface DirectoryHubDeps {
  readonly env: Env
  readonly hubs: Hubs
  storage(): DirectoryStorage
  waitUntil(work: Promise<unknown>): void
}

interface WriteOptions {
  /** Person who asked; null: a run. */
  readonly by: DirectoryActor | null
  readonly each?: (context: WriteContext) => Statements
  /** Statements of the last batch, which ends the task, and the parts that undo them. */
  readonly last?: { readonly parts: readonly UndoPart[]; readonly statements: (context: WriteContext) => Statements }
  /** Called before a portion; throws if the run is over. */
  readonly onPortion?: () => void
  readonly onWritten?: (members: number) => void
}

/** The row of the run is part of each portion's batch: it shows what was committed, even if the answer was lost. */
export class MemberWriter {
  private readonly deps: DirectoryHubDeps

  constructor(deps: DirectoryHubDeps) {
    this.deps = deps
  }

  async write(owner: Owner, recorded: Recorded, work: Work, options: WriteOptions): Promise<readonly Outside[]> {
    if (owner.sign === null) throw new Refusal(violation('LDAP_SIGN_REQUIRED'))
    const { undo } = this.deps.storage()
    const portions = toPortions(work, owner)
    const contexts: WriteContext[] = []
    let number = undo.nextPortion(recorded.id)
    const before = undo.parts(recorded.id, Date.now())
    let done = { counts: countsOfParts(before), outside: outsideOf(before) }
    try {
      for (const [index, portion] of (portions.length === 0 ? [NOBODY] : portions).entries()) {
        options.onPortion?.()
        const context = this.createContext(owner, options.by)
        contexts.push(context)
        const isLast = index >= portions.length - 1
        const last = isLast ? options.last : undefined
        let next = done
        await portion.write(context, (part) => {
          const parts = [...(part ? [part] : []), ...(last?.parts ?? [])]
          if (recorded.isUndoable) undo.prepare({ runId: recorded.id, portion: number }, parts, context.now)
          next = {
            counts: addCounts(done.counts, part ? countsOfParts([part]) : { ...NO_COUNTS, added: portion.members }),
            outside: [...done.outside, ...outsideOf(part ? [part] : [])],
          }
          const outcome = {
            ...(isLast ? DONE : CUT_OFF),
            counts: next.counts,
            outside: countOutside(next.outside),
            portions: number + 1,
            endedAt: context.now,
          }
          const row = toRunRow(owner.accountId, recorded, outcome)
          return toStatements(owner, context, row, options.each, last)
        })
        undo.resolvePending(true)
        done = next
        number++
        options.onWritten?.(portion.members)
      }
      return done.outside
    } finally {
      this.deliver(
        owner,
        contexts.flatMap(({ hubOutbox }) => hubOutbox),
      )
    }
  }

  /** Finds out if the batch was committed whose answer was lost. Called before any write or undo. */
  async resolvePending({ accountId }: Owner): Promise<void> {
    const { undo } = this.deps.storage()
    const { pending } = undo
    if (!pending) return
    const [row] = await selectPortions(openPrimary(this.deps.env), accountId, pending.runId)
    undo.resolvePending((row?.[0] ?? 0) > pending.portion)
  }

  createContext({ accountId, accountHub, sign }: Owner, by: DirectoryActor | null): WriteContext {
    const requestId = currentRequestId() ?? ''
    return {
      db: openPrimary(this.deps.env),
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

  /** Delivers outbox entries after the response; the cron delivers those that a crash loses. */
  deliver({ accountHub }: Owner, entries: readonly OutboxEntry[]): void {
    if (entries.length === 0) return
    const db = openPrimary(this.deps.env)
    this.deps.waitUntil(deliverWrite(db, this.deps.hubs, async () => accountHub, entries))
  }
}

/** A task that touches no member writes its row alone. */
const NOBODY: Portion = {
  members: 0,
  write: async ({ db }, joined) => void (await batch(db, joined(null))),
}

const DONE = { state: 'done', failure: '' } as const
/** State of a run's row until its last portion is written: interrupted. */
const CUT_OFF = { state: 'failed', failure: toMessage(violation('LDAP_INTERRUPTED')) } as const

/** Statements of a portion's batch besides those of the members. */
const toStatements = (
  { accountId, revision }: Owner,
  context: WriteContext,
  row: ReturnType<typeof toRunRow>,
  each: WriteOptions['each'],
  last: WriteOptions['last'],
): Statements => ({
  config: revision !== null && guardConfig(context.db, accountId, revision),
  ...last?.statements(context),
  ...each?.(context),
  run: insertRun(context.db, row),
})

/** Statements that join the batch of a portion; `part` takes the portion back, null if nothing does. */
type Joined = (part: UndoPart | null) => Statements

interface Portion {
  readonly members: number
  write(context: WriteContext, joined: Joined): Promise<void>
}

/** Splits work into portions, each a transaction: an interrupted run goes on with the remaining ones. */
function toPortions(work: Work, owner: Owner): readonly Portion[] {
  return [
    ...split(
      work.deleted,
      (members) => (w, joined) => deleteMembers(w, members, (rows) => joined({ kind: 'deleted', rows })),
    ),
    ...split(
      work.disabled,
      (members) => (w, joined) => setStatuses(w, members, 0, () => joined({ kind: 'disabled', members })),
    ),
    ...split(
      work.enabled,
      (members) => (w, joined) => setStatuses(w, members, 1, () => joined({ kind: 'enabled', members })),
    ),
    ...groupChanges(work.changed).map((changes): Portion => ({
      members: changes.length,
      write: (w, joined) => changeMembers(w, changes, joined({ kind: 'changed', changes })),
    })),
    ...split(
      work.added,
      (members) => (w, joined) =>
        addMembers(w, members, owner, (added) =>
          joined({ kind: 'added', uuids: members.map(({ uuid }) => uuid), ...added }),
        ),
      LDAP.addPortion,
    ),
    ...split(work.restored, (rows) => (w, joined) => restore(w, rows, owner, joined(null))),
  ]
}

const split = <T>(
  items: readonly T[],
  toWrite: (portion: readonly T[]) => Portion['write'],
  size: number = LDAP.writePortion,
): Portion[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => {
    const portion = items.slice(index * size, (index + 1) * size)
    return { members: portion.length, write: toWrite(portion) }
  })

/** Changes that swap names or wait for each other's name stay in one portion. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const byId = new Map(changes.map((change) => [change.id, change]))
  const moves = changes.map(({ id, before, after }) => ({ id, from: before.name, to: after.name }))
  const portions: Change[][] = []
  for (const group of groupMoves(moves)) {
    const found = group.flatMap(({ id }) => byId.get(id) ?? [])
    const last = portions.at(-1)
    if (last && last.length + found.length <= LDAP.writePortion) last.push(...found)
    else portions.push(found)
  }
  return portions
}
