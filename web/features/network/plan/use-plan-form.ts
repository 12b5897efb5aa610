import { useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod'
import { RESULT } from '#contract/kernel/result.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { networkName } from '#contract/network/networks.ts'
import { runOrConfirmEnding } from '#ui/dialog/confirm-settings-off.ts'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { useKeptDraft, useTakenDraft } from '#ui/form/use-draft.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { isOutdatedPlan, useCreateNetwork, useEditNetwork } from '../api.ts'
import type { NetworkInfo } from '../live-network.ts'
import { keptNameSchema, type NameInput } from './network-name.tsx'
import {
  isSamePlan,
  NO_PLAN,
  type PickerState,
  type Plan,
  rebase,
  toPlan,
  toRoles,
  unassign,
  withoutCenters,
} from './picker/member-plan.ts'
import { usePickerMembers } from './picker/use-picker-members.ts'
import { checkPlan, toApiError } from './check-plan.ts'
import type { PlanData } from './use-plan-data.ts'

/* Form of a network's name and members: draft, save, and merge with what somebody else has saved. */

/** The page that creates a network calls the name 组网名称, everything else 网络名称 (network 5). */
const createSchema: z.ZodType<NameInput, NameInput> = z.object({
  network_name: z.string().trim().min(1, '请输入组网名称').pipe(networkName),
})

type NameForm = ContractForm<NameInput, NameInput>

const memberNames = z.object({ center: z.array(z.string()), point: z.array(z.string()) })
/** Draft of a plan with the members it began from: others may have changed them meanwhile. */
const planDraft = z.object({ network_name: z.string(), base: memberNames, plan: memberNames })

/** Storage key of a draft; a new network has no number. */
const toKey = (networkNumber: string) => `plan ${networkNumber}`

/** Chosen plan. It starts as the network's, with the changes that were unsaved when the session ran out. */
function useWantedPlan(networkNumber: string, base: Plan, { setValue }: NameForm) {
  const draft = useTakenDraft(toKey(networkNumber), planDraft)
  const [wanted, setWanted] = useState<Plan>(() => (draft === null ? base : rebase(draft.base, draft.plan, base)))
  useEffect(() => {
    if (draft !== null) setValue('network_name', draft.network_name, { shouldDirty: true })
  }, [draft, setValue])
  return { wanted, setWanted, isRestored: draft !== null }
}

/** Keeps an unsaved plan if the session runs out. */
export function useKeptPlan(
  networkNumber: string,
  isUnsaved: boolean,
  plans: { base: Plan; plan: Plan },
  form: NameForm,
) {
  const network_name = form.watch('network_name')
  useKeptDraft(toKey(networkNumber), isUnsaved ? { network_name, ...plans } : null)
}

/** Edited name and members, with the revision that the edit started from. */
export function usePlanForm({ network, inside, quota }: PlanData) {
  const networkNumber = network?.network_number ?? ''
  const [start, setStart] = useState(network)
  const base = useMemo(() => (start === null ? NO_PLAN : toPlan(start.member)), [start])
  const schema = start === null ? createSchema : keptNameSchema(start)
  const form = useContractForm<NameInput, NameInput>(schema, { network_name: start?.network_name ?? '' })
  const { wanted, setWanted, isRestored } = useWantedPlan(networkNumber, base, form)
  const [networkType, setNetworkType] = useState<number>(start?.network_type ?? NETWORK_TYPE.hub)
  const added = useMemo(() => namesBeside(base, wanted), [base, wanted])
  const members = usePickerMembers({ network, inside, added })
  const { known, gone } = members
  const state = useMemo(
    () => ({ networkNumber, base, plan: unassign(wanted, gone), known, quota, networkType }),
    [networkNumber, base, wanted, gone, known, quota, networkType],
  )
  return {
    start,
    form,
    state,
    members,
    isDirty: form.formState.isDirty || !isSamePlan(base, state.plan),
    isRestored,
    setWanted,
    setNetworkType: (next: number) => {
      setNetworkType(next)
      if (next === NETWORK_TYPE.pointToPoint) setWanted(withoutCenters(state.plan))
    },
    /** Applies the changes on top of a later revision, and takes its name unless the name was edited here. */
    restart: (latest: NetworkInfo) => {
      form.reset({ network_name: latest.network_name }, { keepDirtyValues: true })
      setWanted(rebase(base, state.plan, toPlan(latest.member)))
      setStart(latest)
    },
  }
}

/** Names of a plan that are not in another one. */
function namesBeside(base: Plan, wanted: Plan): readonly string[] {
  const roles = toRoles(base)
  return [...toRoles(wanted).keys()].filter((name) => !roles.has(name))
}

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

/** Key of a submission. The same content has the same key, so that a repeat after a lost answer changes nothing. */
function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ text: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
}

/** Creates or edits the network. A refusal without a place in the form becomes the outcome; others are thrown. */
export function useSavePlan({ start, state, onReload }: SavePlanInput) {
  const [outcome, setOutcome] = useState<Outcome>(NONE)
  const create = useCreateNetwork()
  const edit = useEditNetwork()
  const toKey = useIdempotencyKey()

  /** Sends the plan; null if the person declined to end what the plan would end. */
  const send = async (network_name: string): Promise<string | null> => {
    const members = { center: [...state.plan.center], point: [...state.plan.point] }
    if (start === null) {
      const type = state.networkType === NETWORK_TYPE.pointToPoint && { network_type: NETWORK_TYPE.pointToPoint }
      const input = { network_name, ...members, ...type }
      const reply = await create.trigger({ ...input, idempotency_key: toKey(input) })
      return reply.data.network_number
    }
    const { network_number, revision } = start
    const plan = { network_name, network_number, revision, ...members }
    const isSaved = await runOrConfirmEnding((sent) => edit.trigger({ ...plan, ...sent }))
    return isSaved ? network_number : null
  }
  const save = async ({ network_name }: NameInput) => {
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
