import type { DirectoryEntry } from './directory-entry.ts'
import { nameCharacter } from '#contract/kernel/input/input-sentence.ts'
import { type MemberFields, NAME_CHARACTER, isMemberName, toMembers } from './mapping.ts'

/* Plan of a directory sync: compares users of the directory with members, and lists the changes of a run. */

/** Values of a user's `verify` field (directory 3). */
export const VERIFY = {
  imported: '已导入',
  importable: '可导入',
  disabled: '已禁用',
  gone: '目录中已删除',
  name: '名称不合规',
  taken: '名称已被占用',
  phone: '手机号重复',
  quota: '配额不足',
} as const
type Verify = keyof typeof VERIFY

/** Verify text of a user; for a name that no member can have with the character that is in the way. */
export const verifyText = (verify: Verify, username: string): string =>
  verify === 'name' ? nameCharacter(VERIFY.name, username, NAME_CHARACTER) : VERIFY[verify]

/** A software member of the account, imported or not. */
export interface KnownMember extends MemberFields {
  readonly id: number
  /** Key that never changes: ids come again. */
  readonly uid: string
  readonly status: 0 | 1
  /** Directory user of an imported member; null for others. */
  readonly link: {
    readonly directoryId: string
    /** Last note from the directory. A person may have written another one. */
    readonly note: string
    readonly isDisabledByRun: boolean
  } | null
}

export interface Addition extends MemberFields {
  readonly uuid: string
}
export interface Change {
  readonly id: number
  readonly uid: string
  readonly uuid: string
  readonly before: MemberFields
  readonly after: MemberFields
  /** The directory's note. */
  readonly note: string
}
export interface PlannedMember {
  readonly id: number
  readonly uid: string
  readonly uuid: string
  readonly name: string
}
interface PlanRow {
  readonly uuid: string
  readonly username: string
  readonly description: string
  readonly isImported: boolean
  /** Disabled in the directory, or gone from it. */
  readonly isDisabled: boolean
  readonly verify: Verify
}

/** Changes that a run would make. A run deletes no member. */
export interface Plan {
  readonly added: readonly Addition[]
  readonly changed: readonly Change[]
  readonly disabled: readonly PlannedMember[]
  readonly enabled: readonly PlannedMember[]
  /** Users that are not imported, and imported ones whose new name or phone is taken. */
  readonly conflicts: readonly { readonly uuid: string; readonly username: string; readonly verify: Verify }[]
  /** Imported members that are disabled in the directory or gone from it. */
  readonly removable: readonly PlannedMember[]
  /** Users of the directory and imported members that it no longer has, by user name. */
  readonly rows: readonly PlanRow[]
}

interface PlanInput {
  readonly users: readonly DirectoryEntry[]
  readonly members: readonly KnownMember[]
  /** Software members that the account may still add. */
  readonly remaining: number
  /** Ids of users that a person has chosen. They get seats first, the others by user name. */
  readonly chosen?: ReadonlySet<string>
}

/** Order of names in every list: user2 before user10, without regard to case. */
export const compareNames = new Intl.Collator('en', { numeric: true }).compare

const NONE: ReadonlySet<string> = new Set()

export function planRun({ users, members, remaining, chosen = NONE }: PlanInput): Plan {
  const fields = toMembers(users)
  const present = new Map(users.map((user) => [user.id, user]))
  const linked = members.filter((member) => member.link !== null) as readonly Linked[]
  const { changed, blocked } = planChanges(linked, fields, members)
  const taken = takenAfter(members, changed)
  const ids = new Set(linked.map(({ link }) => link.directoryId))
  const rank = ({ id }: DirectoryEntry) => (chosen.has(id) ? 0 : 1)
  const candidates = users.filter(({ id }) => !ids.has(id)).toSorted((a, b) => rank(a) - rank(b) || byUsername(a, b))
  const { added, refused } = planAdditions(candidates, fields, taken, remaining)

  const isOut = ({ link }: Linked) => present.get(link.directoryId)?.isDisabled ?? true
  const touched = ({ id, uid, name, link }: Linked): PlannedMember => ({ id, uid, name, uuid: link.directoryId })
  const out = linked.filter(isOut)
  const back = linked.filter((member) => !isOut(member) && member.status === 0 && member.link.isDisabledByRun)
  return {
    added,
    changed,
    disabled: out.filter(({ status }) => status === 1).map(touched),
    enabled: back.map(touched),
    conflicts: [...blocked, ...refused.filter(({ verify }) => verify !== 'disabled')],
    removable: out.map(touched),
    rows: toRows(
      users,
      linked,
      present,
      new Map(refused.map(({ uuid, verify }) => [uuid, toShown(verify, remaining)])),
    ),
  }
}

/** While seats are left, each user is importable, though not all of them. */
const toShown = (verify: Verify, remaining: number): Verify =>
  verify === 'quota' && remaining > 0 ? 'importable' : verify

type Linked = KnownMember & { readonly link: NonNullable<KnownMember['link']> }
const byUsername = (a: { readonly username: string }, b: { readonly username: string }) =>
  compareNames(a.username, b.username)

function planChanges(
  linked: readonly Linked[],
  fields: ReadonlyMap<string, MemberFields>,
  members: readonly KnownMember[],
) {
  const wanted = linked.flatMap((member) => {
    const after = fields.get(member.link.directoryId)
    return after ? [{ member, after }] : []
  })
  const blocked: { uuid: string; username: string; verify: Verify }[] = []
  const report = (verify: Verify, ids: ReadonlySet<number>) => {
    for (const { member, after } of wanted)
      if (ids.has(member.id)) blocked.push({ uuid: member.link.directoryId, username: after.name, verify })
  }
  const unfit = new Set(wanted.filter(({ after }) => !isMemberName(after.name)).map(({ member }) => member.id))
  report('name', unfit)
  const moves = (key: 'name' | 'phone') => {
    const leaving = wanted.filter(
      ({ member, after }) => member[key] !== after[key] && !(key === 'name' && unfit.has(member.id)),
    )
    const moving = leaving.filter(({ after }) => after[key] !== '')
    const ids = new Set(leaving.map(({ member }) => member.id))
    const held = new Set(members.filter(({ id }) => !ids.has(id)).map((member) => member[key].toLowerCase()))
    held.delete('')
    return findBlockedMoves(
      moving.map(({ member, after }) => ({ id: member.id, from: member[key], to: after[key] })),
      held,
    )
  }
  const [names, phones] = [moves('name'), moves('phone')]
  report('taken', names)
  report('phone', phones)
  const changed = wanted.flatMap(({ member, after }): Change[] => {
    const { id, uid, name, note, phone, link } = member
    const to = {
      name: names.has(id) || unfit.has(id) ? name : after.name,
      note: after.note === link.note ? note : after.note,
      phone: phones.has(id) ? phone : after.phone,
    }
    if (to.name === name && to.phone === phone && after.note === link.note) return []
    return [{ id, uid, uuid: link.directoryId, before: { name, note, phone }, after: to, note: after.note }]
  })
  return { changed, blocked }
}

function takenAfter(members: readonly KnownMember[], changed: readonly Change[]) {
  const moved = new Map(changed.map(({ id, after }) => [id, after]))
  const after = members.map((member) => moved.get(member.id) ?? member)
  return {
    names: new Set(after.map(({ name }) => name.toLowerCase())),
    phones: new Set(after.map(({ phone }) => phone).filter((phone) => phone !== '')),
  }
}

function planAdditions(
  candidates: readonly DirectoryEntry[],
  fields: ReadonlyMap<string, MemberFields>,
  { names, phones }: { readonly names: Set<string>; readonly phones: Set<string> },
  remaining: number,
) {
  const added: Addition[] = []
  const refused: { uuid: string; username: string; verify: Verify }[] = []
  for (const { id: uuid, username, isDisabled } of candidates) {
    const member = fields.get(uuid)
    if (!member) continue
    const { name, phone } = member
    const problem: Verify | null = isDisabled
      ? 'disabled'
      : !isMemberName(name)
        ? 'name'
        : names.has(name.toLowerCase())
          ? 'taken'
          : phones.has(phone)
            ? 'phone'
            : added.length >= remaining
              ? 'quota'
              : null
    if (problem) {
      refused.push({ uuid, username, verify: problem })
      continue
    }
    added.push({ uuid, ...member })
    names.add(name.toLowerCase())
  }
  return { added, refused }
}

function toRows(
  users: readonly DirectoryEntry[],
  linked: readonly Linked[],
  present: ReadonlyMap<string, DirectoryEntry>,
  refused: ReadonlyMap<string, Verify>,
): readonly PlanRow[] {
  const ids = new Set(linked.map(({ link }) => link.directoryId))
  const listed = users.map(({ id: uuid, username, displayName, description, isDisabled }): PlanRow => {
    const isImported = ids.has(uuid)
    const verify = isImported ? (isDisabled ? 'disabled' : 'imported') : (refused.get(uuid) ?? 'importable')
    return { uuid, username, description: displayName || description, isImported, isDisabled, verify }
  })
  const gone = linked
    .filter(({ link }) => !present.has(link.directoryId))
    .map(({ link, name, note }): PlanRow => ({
      uuid: link.directoryId,
      username: name,
      description: note,
      isImported: true,
      isDisabled: true,
      verify: 'gone',
    }))
  return [...listed, ...gone].toSorted(byUsername)
}

/** Present and wanted value of a member: a name, or a phone. */
interface Move {
  readonly id: number
  readonly from: string
  readonly to: string
}

/**
 * Finds moves that cannot be made: another member keeps the target, or an earlier move wants it. Two members may swap.
 * @param held values of those who do not move, lower case
 */
export function findBlockedMoves(moves: readonly Move[], held: ReadonlySet<string>): ReadonlySet<number> {
  const taken = new Set(held)
  const open = new Map<string, Move>() // by target
  const blocked = new Set<number>()
  const queue: Move[] = []
  const block = (move: Move) => {
    blocked.add(move.id)
    queue.push(move)
  }
  for (const move of moves) {
    const target = move.to.toLowerCase()
    if (taken.has(target) || open.has(target)) block(move)
    else open.set(target, move)
  }
  for (let next = queue.pop(); next; next = queue.pop()) {
    const kept = next.from.toLowerCase()
    if (kept === '') continue
    taken.add(kept)
    const other = open.get(kept)
    if (!other) continue
    open.delete(kept)
    block(other)
  }
  return blocked
}

/** Groups moves that depend on each other: chains and circles of names. */
export function groupMoves(moves: readonly Move[]): readonly (readonly Move[])[] {
  const byOrigin = new Map(moves.map((move) => [move.from.toLowerCase(), move]))
  const byTarget = new Map(moves.map((move) => [move.to.toLowerCase(), move]))
  const seen = new Set<Move>()
  const follow = (start: Move, next: (move: Move) => Move | undefined): Move[] => {
    const found: Move[] = []
    for (let move = next(start); move && !seen.has(move); move = next(move)) {
      seen.add(move)
      found.push(move)
    }
    return found
  }
  return moves.flatMap((move) => {
    if (seen.has(move)) return []
    seen.add(move)
    const behind = follow(move, ({ to }) => byOrigin.get(to.toLowerCase()))
    const ahead = follow(move, ({ from }) => byTarget.get(from.toLowerCase()))
    return [[move, ...behind, ...ahead]]
  })
}
