import type { MemberSettings } from '#contract/network/settings.ts'
import { type SettingRow, readMemberSettings } from '#domain/network/history/stored-settings.ts'
import { POP } from '#contract/network/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* POP resources (POP资源): the term of a resource, areas of members, and the nodes of a network. */

export interface Term {
  readonly expireAt: number
  readonly lapsed: number
}

/** True once the term is past or `lapsed` is set. The cron's next run removes its areas from configurations. */
export const isOver = ({ expireAt, lapsed }: Term, now: number): boolean => lapsed === 1 || expireAt <= now

/** Days until a time, a begun day included; 0 once it is past. */
export const daysUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / DAY_MS))

export const daysLeft = (term: Term, now: number): number => (isOver(term, now) ? 0 : daysUntil(term.expireAt, now))

/** Areas of members from their stored setting `ov`; none without it. */
export function toAreas(
  rows: readonly (SettingRow & { readonly routerId: number })[],
): (routerId: number) => MemberSettings['ov'] {
  const byRouter = new Map(rows.filter(({ setting }) => setting === 'ov').map((row) => [row.routerId, row]))
  return (routerId) => {
    const row = byRouter.get(routerId)
    return readMemberSettings(row ? [row] : []).values.ov
  }
}

/** A node that could carry a network, or an area without a node. */
interface Candidate {
  readonly popId: number
  /** Name of the area. */
  readonly pop: string
  readonly routerId: number | null
}

/** Picks the first few nodes of each area of a network. `unserved` is an area without a node. */
export function pickNodes<T extends Candidate>(candidates: readonly T[]) {
  const taken = new Map<number, number>()
  const nodes = candidates.filter(({ popId, routerId }) => {
    const count = taken.get(popId) ?? 0
    if (routerId === null || count === POP.nodesPerArea) return false
    taken.set(popId, count + 1)
    return true
  })
  return { nodes, unserved: candidates.find(({ routerId }) => routerId === null) ?? null }
}
