import { useMemo, useState } from 'react'
import * as z from 'zod'
import { networkName } from '#contract/network/networks.ts'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { keptNameSchema } from './name-schema.ts'
import { dropUnknown, isSamePlan, NO_PLAN, rebase, toPlan, withoutCenters } from './picker/picker.ts'
import type { NetworkInfo } from '../projection.ts'
import type { PlanData } from './use-plan-data.ts'
import { useWantedPlan } from './use-plan-draft.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'

/** The create page asks for 组网名称, everything else for 网络名称 (network 5). */
type NameSchema = z.ZodType<{ network_name: string }, { network_name: string }>
const createSchema: NameSchema = z.object({
  network_name: z.string().trim().min(1, '请输入组网名称').pipe(networkName),
})

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
