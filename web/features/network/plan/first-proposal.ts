import { useState } from 'react'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { isPublicAddress } from '#domain/outbound/public-address.ts'
import { isSamePlan, type MemberOption, NO_PLAN, type PickerState, type Plan, sizeOf } from './picker/member-plan.ts'

/* Proposal of centre and points for the first network of an account. */

/** A centre has to be reached by the others: best with a public address, else online, else any device. */
function rankOf({ presence, wan }: MemberOption): number {
  const isPublic = wan.some((address) => isPublicAddress(address.split('/')[0] ?? ''))
  return (presence.state === 'online' ? 2 : 0) + (isPublic ? 1 : 0)
}

/** One centre, and every other device that has a seat; null if there is no device. */
export function proposePlan({ known, quota }: Pick<PickerState, 'known' | 'quota'>): Plan | null {
  const devices = [...known.values()].filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  const [center, ...points] = devices.toSorted((a, b) => rankOf(b) - rankOf(a))
  if (center === undefined || quota.members === 0 || quota.centers === 0) return null
  const names = points.slice(0, quota.members - 1).map(({ router_name }) => router_name)
  return { center: [center.router_name], point: names }
}

/** Proposes the members once, for a form that nobody has filled in. True while its plan is the proposal. */
export function useFirstProposal(state: PickerState, setWanted: (plan: Plan) => void): boolean {
  const isFirst = state.networkNumber === '' && state.quota.membersUsed === 0
  const [proposal, setProposal] = useState<Plan | null>(null)
  const next = isFirst && proposal === null && sizeOf(state.plan) === 0 ? proposePlan(state) : null
  if (next !== null) {
    setProposal(next)
    setWanted(next)
  }
  return proposal !== null && isSamePlan(proposal, state.plan) && !isSamePlan(NO_PLAN, state.plan)
}

interface FormEdits {
  readonly isDirty: boolean
  readonly isProposed: boolean
  readonly isNamed: boolean
}

/** A proposal that nobody has touched is no work to be lost. */
export const hasEdits = ({ isDirty, isProposed, isNamed }: FormEdits): boolean => isDirty && (!isProposed || isNamed)
