import { useState } from 'react'
import { isPublicAddress } from '#domain/outbound/public-address.ts'
import { useCandidates } from '../api.ts'
import {
  isSamePlan,
  type MemberOption,
  NO_PLAN,
  type PickerQuota,
  type PickerState,
  type Plan,
  sizeOf,
} from './picker/member-plan.ts'
import { toOptions } from './picker/use-picker-members.ts'

/* Proposal of centre and points for the first network of an account. */

/** A centre has to be reached by the others: best with a public address, else online, else any device. */
function rankOf({ presence, wan }: MemberOption): number {
  const isPublic = wan.some((address) => isPublicAddress(address.split('/')[0] ?? ''))
  return (presence.state === 'online' ? 2 : 0) + (isPublic ? 1 : 0)
}

/** One centre, and every other device that has a seat; null if there is no device. */
export function proposePlan(devices: readonly MemberOption[], quota: PickerQuota): Plan | null {
  const [center, ...points] = devices.toSorted((a, b) => rankOf(b) - rankOf(a))
  if (center === undefined || quota.members === 0 || quota.centers === 0) return null
  const names = points.slice(0, quota.members - 1).map(({ router_name }) => router_name)
  return { center: [center.router_name], point: names }
}

/** Proposes the members once, for a form that nobody has filled in. True while its plan is the proposal. */
export function useFirstProposal(
  { networkNumber, quota, plan }: PickerState,
  setWanted: (plan: Plan) => void,
): boolean {
  const isFirst = networkNumber === '' && quota.membersUsed === 0
  const devices = useCandidates(isFirst ? { kind: 'hardware' } : null).data?.data
  const [proposal, setProposal] = useState<Plan | null>(null)
  const isOpen = devices !== undefined && proposal === null && sizeOf(plan) === 0
  const next = isOpen ? proposePlan(toOptions(devices), quota) : null
  if (next !== null) {
    setProposal(next)
    setWanted(next)
  }
  return proposal !== null && isSamePlan(proposal, plan) && !isSamePlan(NO_PLAN, plan)
}

interface FormEdits {
  readonly isDirty: boolean
  readonly isProposed: boolean
  readonly isNamed: boolean
}

/** A proposal that nobody has touched is no work to be lost. */
export const hasEdits = ({ isDirty, isProposed, isNamed }: FormEdits): boolean => isDirty && (!isProposed || isNamed)
