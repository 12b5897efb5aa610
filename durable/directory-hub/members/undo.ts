import type { Change, KnownMember, Touched } from '#domain/ldap/plan.ts'
import type { Work } from './write-portions.ts'
import type { UndoPart } from './undo-log.ts'

type ConfigRow = Extract<UndoPart, { kind: 'config' }>['row']

/**
 * Work that undoes these parts, as far as nobody has changed the members since; `withoutPhone` names those whose phone
 * another member has by now.
 */
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
  const withoutPhone: string[] = []
  const changing = new Set(parts.flatMap((part) => (part.kind === 'changed' ? part.changes.map(({ id }) => id) : [])))
  const phones = new Set(members.flatMap(({ id, phone }) => (phone !== '' && !changing.has(id) ? [phone] : [])))
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
        for (const change of part.changes.flatMap((one) => reverse(one, byId.get(one.id)))) {
          const isTaken = phones.has(change.after.phone)
          if (isTaken) withoutPhone.push(change.after.name)
          work.changed.push(isTaken ? { ...change, after: { ...change.after, phone: '' } } : change)
        }
        break
      case 'deleted':
        work.restored.push(...part.rows)
        withoutPhone.push(...part.rows.filter((row) => phones.has(row[3] ?? '')).map(([name]) => toBareName(name)))
        break
      case 'config':
        config = part.row
        break
    }
  }
  return { work, config, withoutPhone }
}

const toBareName = (name: string): string => name.slice(0, name.lastIndexOf('@'))

function reverse({ id, uuid, before, after }: Change, now: KnownMember | undefined): Change[] {
  if (now?.link?.directoryId !== uuid || now.name !== after.name) return []
  const current = { name: now.name, note: now.note, phone: now.phone }
  return [{ id, uuid, before: current, after: before, note: now.link.note }]
}
