import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { DONE } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { toast } from '#lib/toast/toast.ts'
import { FormFailure } from '#ui/form/form.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { useEditAreas, useNetworkInfo, useRenameSilently } from '../api.ts'
import { changedAreas, mergeAreas, toAreaPlan } from './area-plan.ts'
import { keptNameSchema, nameMaxOf } from '../plan/name-schema.ts'
import type { NetworkInfo } from '../projection.ts'
import { isPopExpired } from '../settings/setting-text.ts'
import { type Area, AreaTable } from './area-table.tsx'
import { NetworkNameField } from '../plan/network-name-field.tsx'
import styles from '../plan/plan.module.css'
import { PlanFoot } from '../plan/plan-foot.tsx'

interface AreaFormProps {
  readonly info: NetworkInfo
  readonly areas: readonly Area[]
}

/** Saves the name, then all areas that were changed in one call. */
export function AreaForm({ info, areas }: AreaFormProps) {
  const navigate = useNavigate()
  const [start, setStart] = useState(info) // start of the edit: the server compares its revisions
  const base = useMemo(() => toAreaPlan(start.member), [start])
  const [plan, setPlan] = useState(base)
  const form = useContractForm(keptNameSchema(start), { network_name: start.network_name })
  const rename = useRenameSilently()
  const edit = useEditAreas()
  const { mutate } = useNetworkInfo(info.network_number)
  const [isSaved, setSaved] = useState(false)
  const { network_number } = start
  const changed = changedAreas(base, plan, start.member)
  const isUnsaved = !isSaved && (changed.length > 0 || form.formState.isDirty)
  useLeaveGuard(isUnsaved)
  useEffect(() => {
    if (isSaved) void navigate(paths.network(network_number))
  }, [isSaved, navigate, network_number])

  const save = async ({ network_name }: { readonly network_name: string }) => {
    const isRenamed = network_name !== start.network_name && network_name !== info.network_name
    if (isRenamed) await rename.trigger({ network_number, network_name })
    if (changed.length > 0) await edit.trigger({ network_number, members: changed })
    toast.done(DONE.saved)
    setSaved(true)
  }
  const merge = async () => {
    const latest = (await mutate())?.data
    if (latest === undefined || latest === start) return false
    setPlan(mergeAreas(base, plan, toAreaPlan(latest.member)))
    setStart(latest)
    form.merge({ network_name: latest.network_name })
    return true
  }
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <Panel>
        <NetworkNameField form={form} max={nameMaxOf(start)} />
        <div className={styles.areas}>
          <AreaTable members={start.member} areas={areas} isOver={isPopExpired(info)} plan={plan} onChange={setPlan} />
        </div>
      </Panel>
      <PlanFoot
        submitText="保存"
        isBusy={form.busy}
        canSave={isUnsaved}
        onCancel={() => void navigate(paths.network(network_number))}
      >
        <span>{changed.length === 0 ? '区域未调整' : `调整 ${changed.length} 个成员的区域`}</span>
        <FormFailure failure={form.failure} onMerge={merge} />
      </PlanFoot>
    </form>
  )
}
