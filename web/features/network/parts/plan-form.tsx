import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { RESULT, fieldOf, toMessage } from '../../../../worker/contract/errors.ts'
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
import { isSamePlan, dropUnknown, NO_PLAN, rebase, toPlan } from '../picker.ts'
import { findPlanOverlaps } from '../plan-overlaps.ts'
import { checkPlan } from '../plan-rules.ts'
import type { NetworkInfo } from '../projection.ts'
import { toBaseline } from '../rollout.ts'
import type { PlanData } from '../use-plan-data.ts'
import { useKeptPlan, useWantedPlan } from '../use-plan-draft.ts'
import { MemberPicker } from './member-picker.tsx'
import { NetworkNotices } from './network-notices.tsx'
import { OutdatedNotice } from './outdated-notice.tsx'
import { PlanFoot } from './plan-foot.tsx'
import styles from './plan-form.module.css'
import { PlanSum } from './plan-sum.tsx'

interface PlanFormProps extends PlanData {
  /** Reads the network again. */
  readonly onReload: () => Promise<NetworkInfo | undefined>
}

/** The create page asks for 组网名称, everything else for 网络名称 (network 5). */
type NameSchema = z.ZodType<{ network_name: string }, { network_name: string }>
const editSchema: NameSchema = z.object({ network_name: networkName })
const createSchema: NameSchema = z.object({
  network_name: z.string().trim().min(1, '请输入组网名称').pipe(networkName),
})

export function PlanForm({ network, known, quota, isStale, onReload }: PlanFormProps) {
  const navigate = useNavigate()
  const [start, setStart] = useState(network)
  const base = useMemo(() => (start === null ? NO_PLAN : toPlan(start.member)), [start])
  const form = useContractForm(start === null ? createSchema : editSchema, { network_name: start?.network_name ?? '' })
  const { wanted, setWanted, isRestored } = useWantedPlan(network?.network_number, base, form)
  const networkNumber = network?.network_number ?? ''
  const state = useMemo(
    () => ({ networkNumber, base, plan: dropUnknown(wanted, known), known, quota }),
    [networkNumber, base, wanted, known, quota],
  )
  const { plan } = state
  const overlaps = useMemo(() => findPlanOverlaps(state), [state])
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
    const refused = checkPlan(state)
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
      <Panel>
        <div className={styles.name}>
          <TextField
            control={form.control}
            name="network_name"
            label="组网名称"
            required
            maxLength={NETWORK.nameMax}
            placeholder={`最多 ${NETWORK.nameMax} 个字符`}
          />
        </div>
        <p className={styles.hint}>同一组网内，各成员的 IP 网段不能相同</p>
        <MemberPicker key={start?.revision} onChange={setWanted} {...{ state, overlaps, isStale }} />
      </Panel>
      <PlanFoot
        submitText={start === null ? '创建组网' : '保存'}
        isBusy={form.busy}
        canSave={!isOutdated && (start === null || isDirty)}
        onCancel={() => void navigate(start === null ? paths.networks() : paths.network(start.network_number))}
      >
        <PlanSum state={state} overlaps={overlaps} />
        {isOutdated ? <OutdatedNotice onTake={() => void takeLatest()} /> : <FormFailure failure={form.failure} />}
      </PlanFoot>
      {isOverQuota && <QuotaDialog limit={quota.members} onClose={() => setOverQuota(false)} />}
    </form>
  )
}

function RestoredNotice({ isShown }: { readonly isShown: boolean }) {
  return isShown && <Notice role="status">登录过期前未保存的内容已恢复，请核对后保存</Notice>
}
