import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { RESULT, ERRORS, fieldOf, toMessage } from '../../../../worker/contract/errors.ts'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { networkName } from '../../../../worker/contract/network.ts'
import { paths } from '../../../lib/paths.ts'
import { ApiError } from '../../../lib/call.ts'
import { toErrorView } from '../../../ui/error-view.ts'
import { FormFailure } from '../../../ui/form/form.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useIdempotencyKey } from '../../../lib/use-idempotency-key.ts'
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts'
import { isOutdatedPlan, useCreateNetwork, useEditNetwork } from '../api.ts'
import { QuotaDialog } from '../dialogs/quota-dialog.tsx'
import {
  checkPlan,
  type MemberOption,
  isSamePlan,
  dropUnknown,
  NO_PLAN,
  type PickerQuota,
  type Plan,
  rebase,
} from '../picker.ts'
import type { Member, NetworkInfo } from '../projection.ts'
import { toBaseline } from '../rollout.ts'
import { useKeptPlan, useWantedPlan } from '../use-plan-draft.ts'
import { MemberPicker } from './member-picker.tsx'
import { NetworkNotices } from './network-notices.tsx'
import styles from './plan-form.module.css'

interface PlanFormProps {
  /** Null for a new one. */
  readonly network: NetworkInfo | null
  readonly known: ReadonlyMap<string, MemberOption>
  readonly quota: PickerQuota
  /** Reads the network again. */
  readonly onReload: () => Promise<NetworkInfo | undefined>
}

/** The create page asks for 组网名称, everything else for 网络名称 (network 5). */
type NameSchema = z.ZodType<{ network_name: string }, { network_name: string }>
const editSchema: NameSchema = z.object({ network_name: networkName })
const createSchema: NameSchema = z.object({
  network_name: z.string().trim().min(1, '请输入组网名称').pipe(networkName),
})

const toPlan = (members: readonly Member[]): Plan => ({
  center: members.filter((m) => m.member_type === 'center').map((m) => m.router_name),
  point: members.filter((m) => m.member_type === 'point').map((m) => m.router_name),
})

export function PlanForm({ network, known, quota, onReload }: PlanFormProps) {
  const navigate = useNavigate()
  const [start, setStart] = useState(network)
  const base = start === null ? NO_PLAN : toPlan(start.member)
  const form = useContractForm(start === null ? createSchema : editSchema, { network_name: start?.network_name ?? '' })
  const { wanted, setWanted, isRestored } = useWantedPlan(network?.network_number, base, form)
  const plan = dropUnknown(wanted, known)
  const [isOutdated, setOutdated] = useState(false)
  const [isOverQuota, setOverQuota] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const create = useCreateNetwork()
  const toKey = useIdempotencyKey()
  const edit = useEditNetwork()

  const isDirty = form.formState.isDirty || !isSamePlan(base, plan)
  const isUnsaved = isDirty && saved === null
  useLeaveGuard(isUnsaved)
  useKeptPlan(network?.network_number, isUnsaved, { base, plan }, form)
  useEffect(() => {
    if (saved === null) return
    const baseline = start === null ? {} : toBaseline(start.member)
    void navigate(paths.network(saved), { replace: start === null, state: { baseline } })
  }, [saved, start, navigate])

  const save = async ({ network_name }: { network_name: string }) => {
    const refused = checkPlan({ base, plan, known, quota })
    if (refused?.key === 'MEMBER_LIMIT_REACHED') return setOverQuota(true)
    if (refused !== null) throw new ApiError(RESULT.invalid, toMessage(refused), { field: fieldOf(refused) ?? '' })
    const members = { center: [...plan.center], point: [...plan.point] }
    try {
      if (start === null) {
        const input = { network_name, ...members }
        const reply = await create.trigger({ ...input, idempotency_key: toKey(input) })
        return setSaved(reply.data.network_number)
      }
      const { network_number, revision } = start
      await edit.trigger({ network_name, network_number, revision, ...members })
      setSaved(network_number)
    } catch (error) {
      if (isOutdatedPlan(error)) return setOutdated(true)
      // A chosen member, or the network itself, has been deleted: read both again.
      if (toErrorView(error).code === RESULT.notFound) await onReload().catch(() => null)
      throw error
    }
  }
  const takeLatest = async () => {
    const latest = await onReload()
    if (latest === undefined) return
    setWanted(rebase(base, plan, toPlan(latest.member)))
    setStart(latest)
    setOutdated(false)
  }
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <NetworkNotices network={start} />
      <RestoredNotice isShown={isRestored} />
      <Panel title="基本信息">
        <div className="nl-form">
          <TextField
            control={form.control}
            name="network_name"
            label="组网名称"
            required
            maxLength={NETWORK.nameMax}
            placeholder={`最多 ${NETWORK.nameMax} 个字符`}
          />
        </div>
      </Panel>
      <Panel title="成员">
        <MemberPicker base={base} plan={plan} onChange={setWanted} known={known} quota={quota} />
      </Panel>
      <PlanFoot
        isNew={start === null}
        isBusy={form.busy}
        canSave={!isOutdated && (start === null || isDirty)}
        onCancel={() => void navigate(start === null ? paths.networks() : paths.network(start.network_number))}
      >
        {isOutdated ? <OutdatedNotice onTake={() => void takeLatest()} /> : <FormFailure failure={form.failure} />}
      </PlanFoot>
      {isOverQuota && <QuotaDialog limit={quota.members} onClose={() => setOverQuota(false)} />}
    </form>
  )
}

interface PlanFootProps {
  readonly isNew: boolean
  readonly isBusy: boolean
  readonly canSave: boolean
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** Sticky at the bottom of the window. */
function PlanFoot({ isNew, isBusy, canSave, onCancel, children }: PlanFootProps) {
  return (
    <div className={styles.foot}>
      {children}
      <Button disabled={isBusy} onClick={onCancel}>
        取消
      </Button>
      <Button htmlType="submit" theme="solid" type="primary" loading={isBusy} disabled={!canSave}>
        {isNew ? '创建组网' : '保存'}
      </Button>
    </div>
  )
}

function RestoredNotice({ isShown }: { readonly isShown: boolean }) {
  return isShown && <Notice role="status">登录过期前未保存的内容已恢复，请核对后保存</Notice>
}

function OutdatedNotice({ onTake }: { readonly onTake: () => void }) {
  return (
    <span className={styles.outdated} role="alert">
      {ERRORS.NETWORK_CHANGED.msg}。
      <Button theme="borderless" onClick={onTake}>
        合并最新成员后继续
      </Button>
    </span>
  )
}
