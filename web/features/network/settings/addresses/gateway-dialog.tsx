import * as z from 'zod'
import { gatewaySegment } from '#contract/network/fields.ts'
import { MASK } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useEditCenterGateway } from '#pages/network/api.ts'
import type { Member } from '#pages/network/live-network.ts'
import type { MemberDialogProps } from '../dialog-context.ts'
import { useMemberForm } from '../setting-dialog.tsx'
import { PackedDialog, SegmentFields } from './segment-form.tsx'

/* Dialog of the VPN segments of a centre: one for hardware members, one for software members. */

const rules = z.object({ router_network: gatewaySegment, software_network: gatewaySegment })
type Values = Record<'router_network' | 'software_network', { gateway: string; mask: number }>
const schema = rules as z.ZodType<z.output<typeof rules>, Values>

const NONE = { gateway: '', mask: MASK.gatewayDefault }
const toValues = ({ gateway }: Member): Values => ({
  router_network: gateway?.router ?? NONE,
  software_network: gateway?.software ?? NONE,
})

export function GatewayDialog({ info, member, ...handlers }: MemberDialogProps) {
  const { start, form } = useMemberForm('gateway', schema, { info, member }, toValues)
  const { router_name, revisions } = start
  const target = { network_number: info.network_number, router_name, revision: revisions['gateway'] }
  const edit = useEditCenterGateway()
  return (
    <PackedDialog
      title={`网段 · ${memberLabel(start)}`}
      form={form}
      widthPx={560}
      toRequest={(values, pack) => ({ call: 'edit_center_gateway', input: { ...target, ...values, pack } })}
      send={({ input }) => edit.trigger(input)}
      help={<span className="nl-help">保存后成员在该中心点的地址随网段改变，相关链路会断开重连</span>}
      {...handlers}
    >
      <SegmentFields form={form} at="router_network" title="硬件网段" required />
      <SegmentFields form={form} at="software_network" title="软件网段" required />
    </PackedDialog>
  )
}
