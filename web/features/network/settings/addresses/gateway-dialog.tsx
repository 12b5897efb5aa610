import * as z from 'zod'
import { gatewaySegment } from '#contract/network/fields.ts'
import { MASK } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { useEditCenterGateway } from '#pages/network/api.ts'
import type { Member } from '#pages/network/live-network.ts'
import type { MemberDialogProps } from '../dialog-context.ts'
import { useMemberStart } from '../dialog-start.tsx'
import { SettingDialog } from '../setting-dialog.tsx'
import { SegmentFields, usePackedSave } from './segment-form.tsx'

/* Dialog of the VPN segments of a centre: one for hardware members, one for software members. */

const schema = z.object({ router_network: gatewaySegment, software_network: gatewaySegment })
type Values = Record<'router_network' | 'software_network', { gateway: string; mask: number }>
type Segments = z.output<typeof schema>

const NONE = { gateway: '', mask: MASK.gatewayDefault }
const toValues = ({ gateway }: Member): Values => ({
  router_network: gateway?.router ?? NONE,
  software_network: gateway?.software ?? NONE,
})

export function GatewayDialog({ info, member: current, onSaved, onClose }: MemberDialogProps) {
  const { network_number } = info
  const { start: member, values, reload } = useMemberStart(info, current, toValues)
  const { router_name, revisions } = member
  const edit = useEditCenterGateway()
  const form = useContractForm<Values, Segments>(schema as z.ZodType<Segments, Values>, values, {
    reload,
    draft: { key: `gateway ${network_number} ${router_name}`, fields: ['router_network', 'software_network'] },
  })
  const target = { network_number, router_name, revision: revisions['gateway'] }
  const { question, submitText, save } = usePackedSave<Segments>((values) => edit.trigger({ ...target, ...values }))
  return (
    <SettingDialog
      title={`网段 · ${memberLabel(member)}`}
      form={form}
      command={save}
      onSaved={onSaved}
      onClose={onClose}
      widthPx={560}
      schema={schema as z.ZodType<Segments, Values>}
      toRequest={(values) => ({ call: 'edit_center_gateway', input: { ...target, ...values, pack: 1 } })}
      submitText={submitText}
    >
      <SegmentFields form={form} at="router_network" title="硬件网段" required />
      <SegmentFields form={form} at="software_network" title="软件网段" required />
      <FieldProposal form={form} />
      {question === null ? (
        <span className="nl-help">保存后成员在该中心点的地址随网段改变，相关链路会断开重连</span>
      ) : (
        <Notice tone="warn" role="alert">
          {question}
        </Notice>
      )}
    </SettingDialog>
  )
}
