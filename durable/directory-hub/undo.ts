import type { Change, KnownMember, Touched } from '../../worker/domain/ldap/plan.ts'
import type { Work } from './apply.ts'
import type { UndoPart } from './undo-log.ts'

type ConfigRow = Extract<UndoPart, { kind: 'config' }>['row']

/** What takes these parts back, as far as nobody has changed the members since. */
export function toUndoWork(parts: readonly UndoPart[], members: readonly KnownMember[]) {
  const byId = new Map(members.map((member) => [member.id, member]))
  const byUser = new Map(members.flatMap((member) => (member.link ? [[member.link.directoryId, member] as const] : [])))
  const touched = ({ id, name, link }: KnownMember): Touched => ({ id, name, uuid: link?.directoryId ?? '' })
  const same = (list: readonly Touched[], is: (member: KnownMember) => boolean): Touched[] =>
    list.flatMap(({ id, uuid }) => {
      const member = byId.get(id)
      return member?.link?.directoryId === uuid && is(member) ? [touched(member)] : []
    })
  const work: { -readonly [K in keyof Work]: Work[K][number][] } = {
    deleted: [],
    disabled: [],
    changed: [],
    enabled: [],
    added: [],
    restored: [],
  }
  let config: ConfigRow | null = null
  for (const part of parts) {
    switch (part.kind) {
      case 'added':
        work.deleted.push(
          ...part.uuids.flatMap((uuid) => [byUser.get(uuid)].flatMap((member) => (member ? [touched(member)] : []))),
        )
        break
      case 'disabled':
        work.enabled.push(...same(part.members, ({ status, link }) => status === 0 && link?.isDisabledByRun === true))
        break
      case 'enabled':
        work.disabled.push(...same(part.members, ({ status }) => status === 1))
        break
      case 'changed':
        work.changed.push(...part.changes.flatMap((change) => reverse(change, byId.get(change.id))))
        break
      case 'deleted':
        work.restored.push(...part.rows)
        break
      case 'config':
        config = part.row
        break
    }
  }
  return { work, config }
}

function reverse({ id, uuid, before, after }: Change, now: KnownMember | undefined): Change[] {
  if (now?.link?.directoryId !== uuid || now.name !== after.name) return []
  const current = { name: now.name, note: now.note, phone: now.phone }
  return [{ id, uuid, before: current, after: before, note: now.link.note }]
}
