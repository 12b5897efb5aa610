import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkFrApi } from '#contract/network-fr/index.ts'
import { OV_PRIORITY } from '#contract/network/limits.ts'
import type { Member } from '../live-network.ts'

/* POP areas of members while they are edited: choices, rules of main and backup, merge, and changes to save. */

export type Areas = Output<typeof networkFrApi.ov>

/** Areas of one member while they are edited; 0 is none. */
export interface AreaChoice {
  readonly main: number
  readonly backup: number
  readonly priority: number
}
export type AreaPlan = ReadonlyMap<string, AreaChoice>

export const NO_AREA = { value: 0, label: '不使用POP' }
export const NO_BACKUP = { value: 0, label: '无备区域' }
export const PRIORITIES = Array.from({ length: OV_PRIORITY.max }, (_, i) => ({ value: i + 1, label: String(i + 1) }))

/** Number of areas from which a backup area can be chosen (network 2). */
const BACKUP_FROM = 3

type MemberAreas = Pick<Member, 'router_name' | 'ov_id' | 'revisions'>

export const toAreaPlan = (members: readonly MemberAreas[]): AreaPlan =>
  new Map(
    members.map(({ router_name, ov_id }) => [
      router_name,
      { main: ov_id.main ?? 0, backup: ov_id.backup ?? 0, priority: ov_id.priority },
    ]),
  )

export const hasBackup = (areaCount: number, { main }: AreaChoice): boolean => areaCount >= BACKUP_FROM && main !== 0

/** Sets the main area. The backup is cleared if it is the same area or there is no main one. */
export function withMain(choice: AreaChoice, main: number): AreaChoice {
  return { ...choice, main, backup: main === 0 || main === choice.backup ? 0 : choice.backup }
}

const isSame = (a: AreaChoice | undefined, b: AreaChoice): boolean =>
  a?.main === b.main && a.backup === b.backup && a.priority === b.priority

/** Merges a plan into a later one that somebody else has saved; choices made here win. */
export const mergeAreas = (base: AreaPlan, plan: AreaPlan, latest: AreaPlan): AreaPlan =>
  new Map(
    [...latest].map(([name, choice]) => {
      const own = plan.get(name)
      return [name, own === undefined || isSame(base.get(name), own) ? choice : own]
    }),
  )

/** Changed areas as input of network/member_ov, each with the revision that its edit started from. */
export function changedAreas(base: AreaPlan, plan: AreaPlan, members: readonly MemberAreas[]) {
  return members.flatMap(({ router_name, revisions }) => {
    const choice = plan.get(router_name)
    if (choice === undefined || isSame(base.get(router_name), choice)) return []
    const { main, backup, priority } = choice
    return [{ router_name, ov_id_main: main, ov_id_backup: backup, priority, revision: revisions['ov'] ?? 0 }]
  })
}
