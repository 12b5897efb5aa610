import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useMemo, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { DONE, RESULT } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { toast } from '#lib/toast/toast.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { FormFailure } from '#ui/form/form.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { Gone } from '#ui/state/gone.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NothingYet } from '#ui/state/states.tsx'
import { useAreas, useEditAreas, useNetworkInfo, useRenameSilently } from '../api.ts'
import { PopExpired } from '../detail/network-notices.tsx'
import { keptNameSchema, nameMaxOf, NetworkNameField } from '../plan/network-name.tsx'
import { PlanFoot } from '../plan/plan-foot.tsx'
import styles from '../plan/plan.module.css'
import type { NetworkInfo } from '../projection.ts'
import { isPopExpired } from '../settings/setting-text.ts'
import { changedAreas, mergeAreas, toAreaPlan } from './area-plan.ts'
import { type Area, AreaTable } from './area-table.tsx'

/** Name of a network and the POP areas of its members (network 2). */
export function PopEditPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  if (networkNumber === '') return <Navigate to={paths.networks()} replace />
  return <LoadedPop key={networkNumber} networkNumber={networkNumber} />
}

function LoadedPop({ networkNumber }: { readonly networkNumber: string }) {
  const info = useNetworkInfo(networkNumber)
  const areas = useAreas(networkNumber)
  const navigate = useNavigate()
  const network = info.data?.data
  const error = info.error ?? areas.error
  useObjectTitle(network?.network_name)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const trail = [
    { label: '组网列表', to: paths.networks() },
    ...(network === undefined ? [] : [{ label: network.network_name, to: paths.network(networkNumber) }]),
  ]
  const choices = areas.data?.data
  const retry = () => {
    void info.mutate()
    void areas.mutate()
  }
  const order = () => void navigate(paths.createNetworkTicket(networkNumber))
  return (
    <>
      <PageHeader title="POP配置" trail={trail} />
      {network !== undefined && choices !== undefined && choices.length > 0 ? (
        <>
          <PopExpired info={network} />
          <AreaForm info={network} areas={choices} />
        </>
      ) : (
        <Panel>
          {error !== undefined ? (
            <ErrorState error={error} onRetry={retry} />
          ) : choices === undefined || network === undefined ? (
            <Skeleton lines={8} />
          ) : (
            <NothingYet
              title="暂不可购买"
              hint="该组网还没有POP资源，请先提交接入POP工单。"
              action={<Button onClick={order}>接入POP</Button>}
            />
          )}
        </Panel>
      )}
    </>
  )
}

interface AreaFormProps {
  readonly info: NetworkInfo
  readonly areas: readonly Area[]
}

/** Saves the name, then all areas that were changed in one call. */
function AreaForm({ info, areas }: AreaFormProps) {
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
