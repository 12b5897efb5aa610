import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useMemo, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { NETWORK, NETWORK_TYPE } from '#contract/network/limits.ts'
import { paths } from '#lib/paths.ts'
import { Notice } from '#ui/state/notice.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { FormFailure, RestoredNotice } from '#ui/form/form.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Gone } from '#ui/state/page-states.tsx'
import { seatsRequest, seatsText, typeName } from '../network-text.ts'
import { NetworkNotices } from '../detail/network-notices.tsx'
import { toBaseline } from '../detail/rollout.ts'
import type { NetworkInfo } from '../live-network.ts'
import { nameMaxOf, NetworkNameField } from './network-name.tsx'
import { hasEdits, useFirstProposal } from './first-proposal.ts'
import { MemberPicker } from './picker/member-picker.tsx'
import { isSamePlan, NO_PLAN } from './picker/member-plan.ts'
import { OutdatedNotice, PlanFoot, PlanSum } from './plan-foot.tsx'
import { findPlanOverlaps } from './plan-overlaps.ts'
import styles from './plan.module.css'
import { QuotaDialog } from './quota-dialog.tsx'
import { type PlanData, usePlanData } from './use-plan-data.ts'
import { useKeptPlan, usePlanForm, useSavePlan } from './use-plan-form.ts'

/** Page that creates a network, or manages the members of the network in the address (network 2). */
export function NetworkEditPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  const { data, error, reload } = usePlanData(networkNumber)
  const name = data?.network?.network_name
  useObjectTitle(name)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const trail = [
    { label: '组网列表', to: paths.networks() },
    ...(name === undefined ? [] : [{ label: name, to: paths.network(networkNumber) }]),
  ]
  return (
    <>
      <PageHeader title={networkNumber === '' ? '创建组网' : '管理成员'} trail={trail} />
      {data !== null && <SeatsOrForm key={networkNumber} data={data} onReload={reload} />}
      {data === null && (
        <Panel>
          <Loading query={{ error, mutate: () => reload().catch(() => {}) }} lines={8} />
        </Panel>
      )}
    </>
  )
}

/** The form; a notice in its place if a new network has no free seat. An existing network can still lose members. */
function SeatsOrForm({ data, onReload }: { data: PlanData; onReload: () => Promise<NetworkInfo | undefined> }) {
  const navigate = useNavigate()
  const { network, quota } = data
  const seats = { network_router_use: quota.membersUsed, network_router_count: quota.members }
  const missing = seatsText(seats)
  // Asked once: a seat that is taken while the form is filled in must not take the form away.
  const [isClosed] = useState(network === null && missing !== null)
  return (
    <>
      {missing !== null && network?.network_status !== 0 && (
        <Notice
          tone="warn"
          role="alert"
          actions={
            <>
              <Link to={seatsRequest(seats)}>提交工单</Link>
              {isClosed && <Button onClick={() => void navigate(paths.networks())}>返回组网列表</Button>}
            </>
          }
        >
          {missing}。
        </Notice>
      )}
      {!isClosed && <PlanForm {...data} onReload={onReload} />}
    </>
  )
}

function PlanForm({ onReload, ...data }: PlanData & { onReload: () => Promise<NetworkInfo | undefined> }) {
  const navigate = useNavigate()
  const { start, form, state, members, isDirty, isRestored, setWanted, setNetworkType, restart } = usePlanForm(data)
  const { save, outcome, resetOutcome } = useSavePlan({ start, state, onReload })
  const { networkNumber, base, plan } = state
  const overlaps = useMemo(() => findPlanOverlaps(state), [state])
  const max = start === null ? NETWORK.nameMax : nameMaxOf(start)
  const saved = outcome.kind === 'saved' ? outcome.networkNumber : null
  const isMoved = !isSamePlan(base, plan)
  const isProposed = useFirstProposal(state, setWanted)
  const isUnsaved = hasEdits({ isDirty, isProposed, isNamed: form.formState.isDirty }) && saved === null
  useLeaveGuard(isUnsaved)
  useKeptPlan(networkNumber, isUnsaved, { base, plan }, form)
  useEffect(() => {
    if (saved === null) return
    const baseline = start === null ? {} : toBaseline(start.member)
    // A new name is not sent to devices, so there is nothing to wait for.
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
        <NetworkNameField form={form} max={max} own={start?.network_number ?? null} />
        {start === null && <NetworkTypeField value={state.networkType} onChange={setNetworkType} />}
        <FirstProposalNotice isShown={isProposed} onClear={() => setWanted(NO_PLAN)} />
        <p className={styles.hint}>同一组网内，各成员的 IP 网段不能相同</p>
        <MemberPicker key={start?.revision} onChange={setWanted} {...{ state, members, overlaps }} />
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

function FirstProposalNotice({ isShown, onClear }: { readonly isShown: boolean; readonly onClear: () => void }) {
  if (!isShown) return null
  return (
    <div className={styles.proposal}>
      <Notice role="status" actions={<Button onClick={onClear}>自己选择</Button>}>
        已为您选好中心点和普通点：中心点优先选在线且有公网地址的设备，可以修改
      </Notice>
    </div>
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

/** Type of a new network; it cannot be changed later. */
function NetworkTypeField({ value, onChange }: { value: number; onChange: (type: number) => void }) {
  return (
    <div className={styles.type}>
      <Segmented label="组网类型" value={String(value)} options={OPTIONS} onChange={(type) => onChange(Number(type))} />
      <span className="nl-help">{HINT[value]}</span>
    </div>
  )
}
