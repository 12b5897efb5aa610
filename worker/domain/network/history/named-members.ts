import type { ShownSetting } from './setting-words.ts'

/* Members that stored differences name: by the row ids of their time, beside which stand the keys that never change. */

/** Keys (routers.uid) of named members by their row ids of that time. */
export type MemberUids = Readonly<Record<string, string>>

/** Fields of values that name a member. */
const FIELDS: Readonly<Partial<Record<ShownSetting, readonly string[]>>> = {
  routing: ['main', 'secondary'],
  center_link: ['server'],
  point_links: ['serverId', 'clientId'],
}

/** Every field of a stored difference that may name a member. */
export const MEMBER_FIELDS: readonly string[] = ['router_id', ...Object.values(FIELDS).flat()]

export interface PresentMember {
  readonly routerId: number
  readonly uid: string
  readonly createdAt: number
}

/** Id that no row has. */
const NOBODY = Number.MAX_SAFE_INTEGER

interface Named {
  readonly setting: ShownSetting
  readonly routerId: number | null
  readonly value: unknown
  /** Time of the difference. */
  readonly at: number
  /** Absent in a difference of before, whose ids are those of members that were there at its time. */
  readonly uids?: MemberUids | undefined
}

/** Gives values the present ids of the members that they name. A member that is gone gets an id that no row has. */
export function createPresentIds(members: readonly PresentMember[]) {
  const byUid = new Map(members.map((member) => [member.uid, member.routerId]))
  const byId = new Map(members.map((member) => [member.routerId, member]))
  return <N extends Named>(named: N): N => {
    const { setting, routerId, value, at, uids } = named
    const toPresent = (id: number): number => {
      if (uids) return byUid.get(uids[id] ?? '') ?? NOBODY
      const member = byId.get(id)
      return member && member.createdAt <= at ? id : NOBODY
    }
    return {
      ...named,
      routerId: routerId === null ? null : toPresent(routerId),
      value: mapFields(value, FIELDS[setting] ?? [], toPresent),
    }
  }
}

function mapFields(value: unknown, fields: readonly string[], toPresent: (id: number) => number): unknown {
  if (fields.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => mapFields(item, fields, toPresent))
  return Object.fromEntries(
    Object.entries(value).map(([key, id]) => [
      key,
      fields.includes(key) && typeof id === 'number' ? toPresent(id) : (id as unknown),
    ]),
  )
}
