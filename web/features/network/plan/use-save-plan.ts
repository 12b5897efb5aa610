import { useState, useRef } from 'react'
import { RESULT } from '#contract/kernel/result.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { runOrConfirmEnding } from '#ui/dialog/confirm-ending.ts'
import { isOutdatedPlan, useCreateNetwork, useEditNetwork } from '../api.ts'
import type { PickerState } from './picker/picker.ts'
import { checkPlan, toApiError } from './plan-rules.ts'
import type { NetworkInfo } from '../projection.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'

/** Outcome of a save. `outdated`: others have saved a later revision. */
type Outcome =
  | { readonly kind: 'none' | 'outdated' | 'overQuota' }
  | { readonly kind: 'saved'; readonly networkNumber: string }

const NONE: Outcome = { kind: 'none' }

interface SavePlanInput {
  /** Network as it was read; null for a new one. */
  readonly start: NetworkInfo | null
  readonly state: PickerState
  readonly onReload: () => Promise<unknown>
}

/** A key for what is being submitted: the same for the same content, so that a repeat after a lost answer changes nothing. */
function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ text: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
}

/** Creates or edits the network. What the form has no place for is its outcome; every other refusal is thrown. */
export function useSavePlan({ start, state, onReload }: SavePlanInput) {
  const [outcome, setOutcome] = useState<Outcome>(NONE)
  const create = useCreateNetwork()
  const edit = useEditNetwork()
  const toKey = useIdempotencyKey()

  /** Sends the plan; null: the person kept what is in use. */
  const send = async (network_name: string): Promise<string | null> => {
    const members = { center: [...state.plan.center], point: [...state.plan.point] }
    if (start === null) {
      const network_type = state.networkType === NETWORK_TYPE.pointToPoint ? NETWORK_TYPE.pointToPoint : undefined
      const input = { network_name, ...members, ...(network_type !== undefined && { network_type }) }
      const reply = await create.trigger({ ...input, idempotency_key: toKey(input) })
      return reply.data.network_number
    }
    const { network_number, revision } = start
    const plan = { network_name, network_number, revision, ...members }
    const isSaved = await runOrConfirmEnding((sent) => edit.trigger({ ...plan, ...sent }))
    return isSaved ? network_number : null
  }
  const save = async ({ network_name }: { network_name: string }) => {
    const refused = checkPlan(state)
    if (refused?.key === 'MEMBER_LIMIT_REACHED') return setOutcome({ kind: 'overQuota' })
    if (refused !== null) throw toApiError(refused)
    try {
      const networkNumber = await send(network_name)
      if (networkNumber !== null) setOutcome({ kind: 'saved', networkNumber })
    } catch (error) {
      if (isOutdatedPlan(error)) return setOutcome({ kind: 'outdated' })
      // A chosen member, or the network itself, has been deleted: read both again.
      if (toErrorView(error).code === RESULT.notFound) await onReload().catch(() => null)
      throw error
    }
  }
  return { save, outcome, resetOutcome: () => setOutcome(NONE) }
}
