import { useEffect, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#lib/paths.ts'
import { FormFailure, RestoredNotice } from '#ui/form/form.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { QuotaDialog } from './quota-dialog.tsx'
import { nameMaxOf } from './name-schema.ts'
import { findPlanOverlaps } from './plan-overlaps.ts'
import { isSamePlan } from './picker/picker.ts'
import type { NetworkInfo } from '../projection.ts'
import { toBaseline } from '../detail/rollout.ts'
import type { PlanData } from './use-plan-data.ts'
import { usePlanForm, useKeptPlan } from './use-plan-form.ts'
import { useSavePlan } from './use-save-plan.ts'
import { MemberPicker } from './picker/member-picker.tsx'
import { NetworkNameField } from './network-name-field.tsx'
import { NetworkNotices } from '../detail/network-notices.tsx'
import { typeName } from '../network-text.ts'
import { OutdatedNotice } from './outdated-notice.tsx'
import { PlanFoot } from './plan-foot.tsx'
import styles from './plan.module.css'
import { PlanSum } from './plan-sum.tsx'
import { NETWORK, NETWORK_TYPE } from '#contract/network/limits.ts'
import { Segmented } from '#ui/form/segmented.tsx'

interface PlanFormProps extends PlanData {
  /** Reads the network again. */
  readonly onReload: () => Promise<NetworkInfo | undefined>
}

export function PlanForm({ isStale, onReload, ...data }: PlanFormProps) {
  const navigate = useNavigate()
  const { start, form, state, isDirty, isRestored, setWanted, setNetworkType, restart } = usePlanForm(data)
  const { save, outcome, resetOutcome } = useSavePlan({ start, state, onReload })
  const { networkNumber, base, plan } = state
  const overlaps = useMemo(() => findPlanOverlaps(state), [state])
  const max = start === null ? NETWORK.nameMax : nameMaxOf(start)
  const saved = outcome.kind === 'saved' ? outcome.networkNumber : null
  const isMoved = !isSamePlan(base, plan)
  const isUnsaved = isDirty && saved === null
  useLeaveGuard(isUnsaved)
  useKeptPlan(networkNumber, isUnsaved, { base, plan }, form)
  useEffect(() => {
    if (saved === null) return
    const baseline = start === null ? {} : toBaseline(start.member)
    // A new name reaches no device: nothing to wait for.
    void navigate(paths.network(saved), { replace: start === null, state: isMoved ? { baseline } : null })
  }, [saved, start, isMoved, navigate])
  const takeLatest = async () => {
    const latest = await onReload()
    if (latest === undefined) return
    restart(latest)
    resetOutcome()
  }
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <NetworkNotices network={start} />
      {isRestored && <RestoredNotice />}
      <Panel>
        <NetworkNameField form={form} max={max} />
        {start === null && <NetworkTypeField value={state.networkType} onChange={setNetworkType} />}
        <p className={styles.hint}>同一组网内，各成员的 IP 网段不能相同</p>
        <MemberPicker key={start?.revision} onChange={setWanted} {...{ state, overlaps, isStale }} />
      </Panel>
      <PlanFoot
        submitText={start === null ? '创建组网' : '保存'}
        isBusy={form.busy}
        canSave={outcome.kind !== 'outdated' && (start === null || isDirty)}
        onCancel={() => void navigate(start === null ? paths.networks() : paths.network(start.network_number))}
      >
        <PlanSum state={state} overlaps={overlaps} />
        {outcome.kind === 'outdated' ? (
          <OutdatedNotice onTake={() => void takeLatest()} />
        ) : (
          <FormFailure failure={form.failure} />
        )}
      </PlanFoot>
      {outcome.kind === 'overQuota' && <QuotaDialog limit={state.quota.members} onClose={resetOutcome} />}
    </form>
  )
}

const OPTIONS = [NETWORK_TYPE.hub, NETWORK_TYPE.pointToPoint].map((type) => ({
  value: String(type),
  label: typeName(type),
}))
const HINT = {
  [NETWORK_TYPE.hub]: '普通点连接中心点，经中心点互通',
  [NETWORK_TYPE.pointToPoint]: `没有中心点，至少 ${NETWORK.pointToPointMin} 个成员；创建后为成员设置点对点互联`,
} as Readonly<Record<number, string>>

interface NetworkTypeFieldProps {
  readonly value: number
  readonly onChange: (type: number) => void
}

/** Type of a new network, which keeps it. */
function NetworkTypeField({ value, onChange }: NetworkTypeFieldProps) {
  return (
    <div className={styles.type}>
      <Segmented label="组网类型" value={String(value)} options={OPTIONS} onChange={(type) => onChange(Number(type))} />
      <span className="nl-help">{HINT[value]}</span>
    </div>
  )
}
