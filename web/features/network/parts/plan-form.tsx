import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { RESULT, ERRORS, fieldOf, messageOf } from '../../../../worker/contract/errors.ts'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { networkApi, networkName } from '../../../../worker/contract/network.ts'
import { ApiError } from '../../../lib/call.ts'
import { useCommand } from '../../../lib/use-endpoint.ts'
import { causeOf } from '../../../ui/error-cause.ts'
import { FormFailure } from '../../../ui/form/form.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts'
import { QuotaDialog } from '../dialogs/quota-dialog.tsx'
import { detailPath, LISTS_PATH } from '../network-text.ts'
import { checkPlan, type Choice, isSamePlan, knownOf, NO_PLAN, type PickerRoom, type Plan, rebase } from '../picker.ts'
import type { Member, NetworkInfo } from '../projection.ts'
import { baselineOf } from '../rollout.ts'
import { MemberPicker } from './member-picker.tsx'
import { NetworkNotices } from './network-notices.tsx'

interface PlanFormProps {
  /** Null for a new one. */
  readonly network: NetworkInfo | null
  readonly known: ReadonlyMap<string, Choice>
  readonly room: PickerRoom
  /** Reads the network again. */
  readonly onReload: () => Promise<NetworkInfo | undefined>
}

/** The create page asks for 组网名称, everything else for 网络名称 (network 5). */
type NameSchema = z.ZodType<{ network_name: string }, { network_name: string }>
const editSchema: NameSchema = z.object({ network_name: networkName })
const createSchema: NameSchema = z.object({
  network_name: z.string().trim().min(1, '请输入组网名称').pipe(networkName),
})

const planOf = (members: readonly Member[]): Plan => ({
  center: members.filter((m) => m.member_type === 'center').map((m) => m.router_name),
  point: members.filter((m) => m.member_type === 'point').map((m) => m.router_name),
})
const REFRESHED = [networkApi.lists, networkApi.config, networkApi.info, networkApi.select]

export function PlanForm({ network, known, room, onReload }: PlanFormProps) {
  const navigate = useNavigate()
  const [start, setStart] = useState(network)
  const base = start === null ? NO_PLAN : planOf(start.member)
  const [wanted, setWanted] = useState(base)
  const plan = knownOf(wanted, known)
  const [isOutdated, setOutdated] = useState(false)
  const [missingSeats, setMissingSeats] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const form = useContractForm(start === null ? createSchema : editSchema, { network_name: start?.network_name ?? '' })
  const create = useCommand(networkApi.create, REFRESHED, { quiet: true })
  const edit = useCommand(networkApi.edit, REFRESHED, { quiet: true })

  const isDirty = form.formState.isDirty || !isSamePlan(base, plan)
  useLeaveGuard(isDirty && saved === null)
  useEffect(() => {
    if (saved === null) return
    const baseline = start === null ? {} : baselineOf(start.member)
    void navigate(detailPath(saved), { replace: start === null, state: { baseline } })
  }, [saved, start, navigate])

  const save = async ({ network_name }: { network_name: string }) => {
    const refused = checkPlan({ base, plan, known, room })
    if (refused?.key === 'MEMBER_LIMIT_REACHED') return setMissingSeats(true)
    if (refused !== null) throw new ApiError(RESULT.invalid, messageOf(refused), { field: fieldOf(refused) ?? '' })
    const members = { center: [...plan.center], point: [...plan.point] }
    try {
      if (start === null) {
        const reply = await create.trigger({ network_name, ...members })
        return setSaved(reply.data.network_number)
      }
      const { network_number, revision } = start
      await edit.trigger({ network_name, network_number, revision, ...members })
      setSaved(network_number)
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NETWORK_CHANGED') return setOutdated(true)
      // One of the chosen has been deleted, and leaves the lists; or the network has, and this page with it.
      if (causeOf(error).code === RESULT.notFound) await onReload().catch(() => null)
      throw error
    }
  }
  const takeLatest = async () => {
    const latest = await onReload()
    if (latest === undefined) return
    setWanted(rebase(base, plan, planOf(latest.member)))
    setStart(latest)
    setOutdated(false)
  }
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <NetworkNotices network={start} />
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
        <MemberPicker base={base} plan={plan} onChange={setWanted} known={known} room={room} />
      </Panel>
      <PlanFoot
        isNew={start === null}
        isBusy={form.busy}
        canSave={!isOutdated && (start === null || isDirty)}
        onCancel={() => void navigate(start === null ? LISTS_PATH : detailPath(start.network_number))}
      >
        {isOutdated ? <OutdatedNotice onTake={() => void takeLatest()} /> : <FormFailure failure={form.failure} />}
      </PlanFoot>
      {missingSeats && <QuotaDialog limit={room.seats} onClose={() => setMissingSeats(false)} />}
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

/** Stays in sight however long the lists are. */
function PlanFoot({ isNew, isBusy, canSave, onCancel, children }: PlanFootProps) {
  return (
    <div className="nl-picker-foot">
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

function OutdatedNotice({ onTake }: { readonly onTake: () => void }) {
  return (
    <span className="nl-picker-change" role="alert">
      {ERRORS.NETWORK_CHANGED.msg}。
      <Button theme="borderless" onClick={onTake}>
        载入最新成员并保留我的修改
      </Button>
    </span>
  )
}
