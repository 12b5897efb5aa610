import { phoneText } from '#contract/kernel/input/phone.ts'
import type { Undone } from '#contract/ldap/hub.ts'
import { type Change, type KnownMember, type PlannedMember, VERIFY, findBlockedMoves } from '#domain/ldap/plan.ts'
import { joinPhone, toStoredPhone } from '#domain/ldap/mapping.ts'
import { type KeptRow, type selectRestored, uidOfKept } from '#features/ldap/sql/members.ts'
import type { UndoPart } from '../storage.ts'
import type { Work } from './member-work.ts'

/* Plan and outcome of an undo: what takes its records back, and who stays as it is. */

/** Reasons for which a member stays as it is. */
const LEFT = {
  gone: '成员已不存在',
  changed: '成员之后又有变更',
  again: '目录用户已重新导入',
  taken: VERIFY.taken,
  seats: '软件成员配额不足（增加后可再次撤销）',
} as const

type ConfigRow = Extract<UndoPart, { kind: 'config' }>['row']

export interface UndoPlan {
  readonly work: Work
  readonly config: ConfigRow | null
  /** Members whose phone another one has by now. */
  readonly withoutPhone: readonly string[]
  /** Sentences by the keys of members that stay as they are. */
  readonly left: ReadonlyMap<string, string>
  /** Some members wait for seats: the record stays, so that a later undo restores them. */
  readonly isWaiting: boolean
  /** Keys of members that are as before already. */
  readonly unchanged: ReadonlySet<string>
}

/** A member as a record names it; those of before have no key. */
type Named = Pick<PlannedMember, 'uuid'> & { readonly uid?: string }

/** Account of an undo: its software members, their quota, and its suffix. */
interface UndoAccount {
  readonly members: readonly KnownMember[]
  readonly max: number
  readonly sign: string
}

/** Plans the undo of these records, newest first, as far as nobody has changed the members since and seats are left. */
export function planUndo(parts: readonly UndoPart[], account: UndoAccount): UndoPlan {
  const undo = new Undo(account)
  for (const part of parts) undo.take(part)
  return undo.plan()
}

class Undo {
  private readonly members: readonly KnownMember[]
  private readonly sign: string
  private readonly max: number
  private readonly byUid: ReadonlyMap<string, KnownMember>
  private readonly byUser: ReadonlyMap<string, KnownMember>
  private readonly left = new Map<string, string>()
  private readonly unchanged = new Set<string>()
  private readonly deleted = new Map<string, PlannedMember>()
  private readonly statuses = { disabled: [] as PlannedMember[], enabled: [] as PlannedMember[] }
  private readonly changes: { readonly change: Change; readonly member: KnownMember }[] = []
  private readonly kept: KeptRow[] = []
  private config: ConfigRow | null = null

  constructor({ members, max, sign }: UndoAccount) {
    this.members = members
    this.max = max
    this.sign = sign
    this.byUid = new Map(members.map((member) => [member.uid, member]))
    this.byUser = new Map(members.flatMap((member) => (member.link ? [[member.link.directoryId, member]] : [])))
  }

  take(part: UndoPart): void {
    switch (part.kind) {
      case 'added':
        for (const [i, uuid] of part.uuids.entries()) this.takeAdded({ uuid, ...pickUid(part.uids?.[i]) })
        break
      case 'disabled':
      case 'enabled':
        for (const one of part.members) this.takeStatus(one, part.kind)
        break
      case 'changed':
        for (const change of part.changes) this.takeChange(change)
        break
      case 'deleted':
        for (const row of part.rows) this.takeKept(row)
        break
      case 'config':
        this.config = part.row
        break
      default:
        part satisfies never
    }
  }

  private find({ uid, uuid }: Named): KnownMember | undefined {
    return uid === undefined ? this.byUser.get(uuid) : this.byUid.get(uid)
  }

  private takeAdded(one: Named): void {
    const member = this.find(one)
    if (member) this.deleted.set(member.uid, toPlanned(member))
    else this.unchanged.add(keyOf(one))
  }

  private takeStatus(one: Named, kind: 'disabled' | 'enabled'): void {
    const member = this.find(one)
    if (!member) return this.leave(keyOf(one), LEFT.gone)
    if (member.status === (kind === 'disabled' ? 1 : 0)) return void this.unchanged.add(member.uid)
    const isTheRuns = kind === 'enabled' || member.link?.isDisabledByRun === true
    if (!isTheRuns) return this.leave(member.uid, LEFT.changed)
    this.statuses[kind === 'disabled' ? 'enabled' : 'disabled'].push(toPlanned(member))
  }

  private takeChange({ uid, uuid, before, after }: Change): void {
    const member = this.find({ uid, uuid })
    if (!member?.link) return this.leave(keyOf({ uid, uuid }), LEFT.gone)
    const { id, name, note, phone, link } = member
    if (name !== after.name) {
      if (name === before.name) this.unchanged.add(member.uid)
      else this.leave(member.uid, LEFT.changed)
      return
    }
    const now = { name, note, phone }
    const former = { ...before, phone: toStoredPhone(before.phone) }
    const change = { id, uid: member.uid, uuid: link.directoryId, before: now, after: former, note: link.note }
    this.changes.push({ change, member })
  }

  private takeKept(row: KeptRow): void {
    const uid = uidOfKept(row)
    if (this.byUid.has(uid)) this.unchanged.add(uid)
    else if (this.byUser.has(row[7])) this.leave(uid, LEFT.again)
    else this.kept.push(toRestored(row, this.sign))
  }

  private leave(uid: string, reason: string): void {
    if (!this.left.has(uid)) this.left.set(uid, reason)
  }

  plan(): UndoPlan {
    const changed = this.planChanges()
    const moved = new Map(changed.map(({ uid, after }) => [uid, after]))
    const standing = this.members.filter(({ uid }) => !this.deleted.has(uid)).map((one) => moved.get(one.uid) ?? one)
    const names = new Set(standing.map(({ name }) => name.toLowerCase()))
    const nameable = this.kept.filter((row) => !names.has(toBareName(row[0]).toLowerCase()))
    for (const row of this.kept) if (!nameable.includes(row)) this.leave(uidOfKept(row), LEFT.taken)
    const restored = nameable.slice(0, Math.max(0, this.max - standing.length))
    for (const row of nameable.slice(restored.length)) this.leave(uidOfKept(row), LEFT.seats)
    const changing = new Set(this.changes.map(({ member }) => member.uid))
    const phones = new Set(
      this.members.flatMap(({ uid, phone }) =>
        phone !== '' && !changing.has(uid) && !this.deleted.has(uid) ? [phone] : [],
      ),
    )
    const isWithout = (phone: string): boolean => phones.has(phone)
    return {
      work: {
        deleted: [...this.deleted.values()],
        ...this.statuses,
        changed: changed.map((one) =>
          isWithout(one.after.phone) ? { ...one, after: { ...one.after, phone: '' } } : one,
        ),
        added: [],
        restored,
      },
      config: this.config,
      withoutPhone: [
        ...changed.flatMap(({ after }) => (isWithout(after.phone) ? [after.name] : [])),
        ...restored.flatMap((row) => (isWithout(joinPhone(row[2], row[3])) ? [toBareName(row[0])] : [])),
      ],
      left: this.left,
      isWaiting: restored.length < nameable.length,
      unchanged: this.unchanged,
    }
  }

  /** Changes whose former name nobody else has by now. */
  private planChanges(): Change[] {
    const open = this.changes.filter(({ change }) => change.before.name !== change.after.name)
    const moving = new Set(open.map(({ member }) => member.uid))
    const held = this.members
      .filter(({ uid }) => !moving.has(uid) && !this.deleted.has(uid))
      .map(({ name }) => name.toLowerCase())
    const blocked = findBlockedMoves(
      open.map(({ change: { id, before, after } }) => ({ id, from: before.name, to: after.name })),
      new Set(held),
    )
    return this.changes.flatMap(({ change }) => {
      if (!blocked.has(change.id)) return [change]
      this.leave(change.uid, LEFT.taken)
      return []
    })
  }
}

const pickUid = (uid: string | undefined): Pick<Named, 'uid'> => (uid === undefined ? {} : { uid })
const keyOf = ({ uid, uuid }: Named): string => uid ?? uuid
const toPlanned = ({ id, uid, name, link }: KnownMember): PlannedMember => ({
  id,
  uid,
  name,
  uuid: link?.directoryId ?? '',
})
const toBareName = (name: string): string => name.slice(0, name.lastIndexOf('@'))

/** Kept row under the present suffix, its phone as it is stored now. */
const toRestored = ([name, note, areaCode, phone, ...rest]: KeptRow, sign: string): KeptRow => [
  `${toBareName(name)}@${sign}`,
  note,
  areaCode,
  phone && phoneText(areaCode, phone),
  ...rest,
]

/** Number of members that stay as they are, with their reasons: `成员已不存在 2、名称已被占用 1`. */
export function leftOf(left: ReadonlyMap<string, string>): Pick<Undone, 'left' | 'reason'> {
  const counts = new Map<string, number>()
  for (const reason of left.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [only] = counts.size === 1 ? counts.keys() : []
  return { left: left.size, reason: only ?? [...counts].map(([reason, count]) => `${reason} ${count}`).join('、') }
}

/** Outcome of an undo. @param standing restored members as the database has them now. */
export function toUndone(
  { work, config, left, unchanged, withoutPhone }: UndoPlan,
  standing: Awaited<ReturnType<typeof selectRestored>>,
): Undone {
  const memberships = new Map(standing)
  const lost = new Map(left)
  const restored = new Set(
    [work.deleted, work.disabled, work.enabled, work.changed].flatMap((list) => list.map(({ uid }) => uid)),
  )
  for (const row of work.restored) {
    if (memberships.has(uidOfKept(row))) restored.add(uidOfKept(row))
    else lost.set(uidOfKept(row), LEFT.taken)
  }
  const isOutside = (row: KeptRow) => {
    const now = memberships.get(uidOfKept(row))
    return now !== undefined && now < (JSON.parse(row[10]) as unknown[]).length
  }
  for (const uid of lost.keys()) restored.delete(uid) // a part of what was done to it stays
  return {
    restored: restored.size,
    unchanged: [...unchanged].filter((uid) => !restored.has(uid) && !lost.has(uid)).length,
    ...leftOf(lost),
    outside: work.restored.filter(isOutside).length,
    without_phone: withoutPhone.length,
    reopened: config === null ? 0 : 1,
  }
}
