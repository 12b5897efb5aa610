import { useMemo, useState, useEffect } from 'react'
import * as z from 'zod'
import { networkName } from '#contract/network/networks.ts'
import { useContractForm, type ContractForm } from '#ui/form/use-contract-form.ts'
import { keptNameSchema } from './name-schema.ts'
import { dropUnknown, isSamePlan, NO_PLAN, rebase, toPlan, withoutCenters, type Plan } from './picker/picker.ts'
import type { NetworkInfo } from '../projection.ts'
import type { PlanData } from './use-plan-data.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { useKeptDraft, useTakenDraft } from '#ui/form/use-draft.ts'

/** The create page asks for 组网名称, everything else for 网络名称 (network 5). */
type NameSchema = z.ZodType<{ network_name: string }, { network_name: string }>
const createSchema: NameSchema = z.object({
  network_name: z.string().trim().min(1, '请输入组网名称').pipe(networkName),
})

interface NameInput {
  network_name: string
}
type NameForm = ContractForm<NameInput, NameInput>

const memberNames = z.object({ center: z.array(z.string()), point: z.array(z.string()) })
/** Draft of a plan with the members it began from: others may have changed them meanwhile. */
const planDraft = z.object({ network_name: z.string(), base: memberNames, plan: memberNames })

/** Storage key of a draft; a new network has no number. */
const toKey = (networkNumber: string) => `plan ${networkNumber}`

/** The plan that is chosen: at first the network's, with the changes that were unsaved when the session ran out. */
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

/** Name and members of a network as they are edited, over the revision that the edit started from. */
export function usePlanForm({ network, known, quota }: Pick<PlanData, 'network' | 'known' | 'quota'>) {
  const networkNumber = network?.network_number ?? ''
  const [start, setStart] = useState(network)
  const base = useMemo(() => (start === null ? NO_PLAN : toPlan(start.member)), [start])
  const form = useContractForm<{ network_name: string }, { network_name: string }>(
    start === null ? createSchema : keptNameSchema(start),
    { network_name: start?.network_name ?? '' },
  )
  const { wanted, setWanted, isRestored } = useWantedPlan(networkNumber, base, form)
  const [networkType, setNetworkType] = useState<number>(start?.network_type ?? NETWORK_TYPE.hub)
  const state = useMemo(
    () => ({ networkNumber, base, plan: dropUnknown(wanted, known), known, quota, networkType }),
    [networkNumber, base, wanted, known, quota, networkType],
  )
  return {
    start,
    form,
    state,
    isDirty: form.formState.isDirty || !isSamePlan(base, state.plan),
    isRestored,
    setWanted,
    setNetworkType: (next: number) => {
      setNetworkType(next)
      if (next === NETWORK_TYPE.pointToPoint) setWanted(withoutCenters(state.plan))
    },
    /** Puts the changes on top of a later revision: a name that was not edited here is the later one. */
    restart: (latest: NetworkInfo) => {
      form.reset({ network_name: latest.network_name }, { keepDirtyValues: true })
      setWanted(rebase(base, state.plan, toPlan(latest.member)))
      setStart(latest)
    },
  }
}
