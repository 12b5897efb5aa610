import { useMemo, useState } from 'react'
import * as z from 'zod'
import { ERRORS } from '#contract/kernel/errors.ts'
import { routerName } from '#contract/kernel/fields.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { runOrConfirmEnding } from '#ui/dialog/confirm-settings-off.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { FieldNotes } from '#ui/form/field-notes.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { ErrorState } from '#ui/state/page-states.tsx'
import { useErrorPlace } from '#ui/form/error-places.ts'
import { isOutdatedPlan, useEditNetwork, useNetworkInfo } from '../api.ts'
import type { NetworkDialogProps } from '../settings/dialog-context.ts'
import { MemberPicker } from './picker/member-picker.tsx'
import { type Plan, sizeOf, toPlan, unassign } from './picker/member-plan.ts'
import { usePickerMembers } from './picker/use-picker-members.ts'
import { OutdatedNotice, PlanSum } from './plan-foot.tsx'
import { findPlanOverlaps } from './plan-overlaps.ts'
import { checkPlan, toApiError } from './check-plan.ts'
import { toPickerQuota, useInsideMembers } from './use-plan-data.ts'

/* Dialog that adds members to a network. */

const names = z.array(routerName)
const schema = z
  .object({ center: names, point: names })
  .refine((plan) => sizeOf(plan) > 0, { path: ['point'], error: ERRORS.NETWORK_MEMBERS_REQUIRED.msg })

/**
 * Sends one network/edit with the revision that the page shows, because network/add_member takes one member a call.
 * The button that opens the dialog checks the quota; the server checks everything again.
 */
export function AddMemberDialog({ info: network, onSaved, onClose }: NetworkDialogProps) {
  const { network_number, network_name, revision } = network
  const draft = { key: `add ${network_number}`, fields: ['center', 'point'] } as const
  const form = useContractForm(schema, { center: [], point: [] }, { draft })
  const latest = useNetworkInfo(network_number)
  const edit = useEditNetwork()
  const [isOutdated, setOutdated] = useState(false)
  const [center, point] = form.watch(['center', 'point'])
  const inside = useInsideMembers(network_number)
  const members = usePickerMembers({
    network,
    inside: inside.data?.data,
    added: [...center, ...point],
    isAddOnly: true,
  })
  const { known, gone } = members
  const state = useMemo(() => {
    const base = toPlan(network.member)
    // A member that somebody else has added meanwhile keeps the role from that save.
    const added = unassign({ center, point }, [...base.center, ...base.point, ...gone])
    return {
      networkNumber: network.network_number,
      base,
      plan: { center: [...base.center, ...added.center], point: [...base.point, ...added.point] },
      known,
      quota: toPickerQuota(network.network_config, network),
      networkType: network.network_type,
    }
  }, [network, center, point, known, gone])
  const overlaps = useMemo(() => findPlanOverlaps(state), [state])

  const choose = (plan: Plan) => {
    const added = unassign(plan, [...state.base.center, ...state.base.point])
    form.setValue('center', [...added.center], { shouldDirty: true })
    form.setValue('point', [...added.point], { shouldDirty: true })
    form.clearErrors()
  }
  const save = async () => {
    const refused = checkPlan(state)
    if (refused !== null) throw toApiError(refused)
    const chosen = { center: [...state.plan.center], point: [...state.plan.point] }
    try {
      const plan = { network_number, network_name, revision, ...chosen }
      return await runOrConfirmEnding((sent) => edit.trigger({ ...plan, ...sent }))
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      setOutdated(true)
      return false
    }
  }
  const { errors } = form.formState
  useErrorPlace(form.control, 'point')
  useErrorPlace(form.control, 'center')
  return (
    <FormDialog
      title="添加成员"
      submitText="添加"
      widthPx={960}
      form={form}
      command={save}
      onSaved={onSaved}
      onClose={onClose}
      foot={
        <>
          <PlanSum state={state} overlaps={overlaps} isAddOnly />
          {isOutdated && <OutdatedNotice onTake={() => void latest.mutate().then(() => setOutdated(false))} />}
          <FieldNotes id="add-member" error={errors.point?.message ?? errors.center?.message} />
        </>
      }
    >
      {inside.error !== undefined && inside.data === undefined ? (
        <ErrorState error={inside.error} onRetry={() => void inside.mutate()} />
      ) : (
        <MemberPicker onChange={choose} isLoading={inside.data === undefined} {...{ state, members, overlaps }} />
      )}
      <span className="nl-help">每个成员最多加入 {NETWORK.perRouter} 个组网；同一组网内，各成员的 IP 网段不能相同</span>
    </FormDialog>
  )
}
