import * as z from 'zod'
import { routerName } from '#contract/kernel/fields.ts'
import { toPool } from '#domain/network/compile/server-segments.ts'
import { gatewaySegment, interlinkSegment, ipConfigFields, poolFields, requireRange } from '#contract/network/fields.ts'
import { MASK } from '#contract/network/limits.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import { SETTING_TITLE } from '#domain/network/history/setting-words.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { type IpConfig, useEditIpConfig, useIpConfig } from '#pages/network/api.ts'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { SettingDialog } from '../setting-dialog.tsx'
import { SegmentFields, usePackedSave } from './segment-form.tsx'

/* Dialog of the IP pool of a network: its segments, and the ranges of addresses that members get. */

interface Segment {
  gateway: string
  mask: number
}
interface Pool extends Segment {
  start: string
  end: string
}
/** Values of the form fields; an unset segment has an empty network number. */
interface Values extends Segment {
  pop: Segment
  pop_software: Segment
  center_link_network: Segment
  center_network: { router_name: string; router: Pool; software: Pool }[]
}

const isEmpty = (sent: unknown): boolean => !(sent as Partial<Segment> | undefined)?.gateway
const orNull = <T extends z.ZodType>(segment: T) =>
  z.preprocess((sent) => (isEmpty(sent) ? null : sent), segment.nullable())
const schema = z
  .object({
    gateway: ipConfigFields.gateway,
    mask: ipConfigFields.mask,
    pop: orNull(gatewaySegment),
    pop_software: orNull(gatewaySegment),
    center_link_network: orNull(interlinkSegment),
    center_network: z.array(z.object({ router_name: routerName, router: poolFields, software: poolFields })),
  })
  .superRefine(requireRange)
type Parsed = z.output<typeof schema>

export function IpPoolDialog(props: NetworkDialogProps) {
  const { network_number } = props.info
  const { data, error, mutate } = useIpConfig(network_number)
  const read = async () => (await mutate())?.data
  if (data) return <IpPoolForm config={data.data} read={read} {...props} />
  return (
    <Dialog title="IP地址池" widthPx={640} onClose={props.onClose}>
      <Loading query={{ error, mutate }} lines={6} />
    </Dialog>
  )
}

const NONE = { gateway: '', mask: MASK.gatewayDefault }

/** A pool of all addresses of its segment has empty start and end fields. */
function toPoolValues({ gateway, mask, start, end }: Pool): Pool {
  const all = toPool(segmentText({ gateway, mask }), null)
  return start === all.first && end === all.last ? { gateway, mask, start: '', end: '' } : { gateway, mask, start, end }
}

const toValues = (config: IpConfig): Values => ({
  gateway: config.gateway,
  mask: config.mask,
  pop: config.pop ?? NONE,
  pop_software: config.pop_software ?? NONE,
  center_link_network: config.center_link_network ?? { gateway: '', mask: MASK.interlinkDefault },
  center_network: config.center_network.map(({ router_name, router, software }) => ({
    router_name,
    router: toPoolValues(router),
    software: toPoolValues(software),
  })),
})

interface IpPoolFormProps extends NetworkDialogProps {
  readonly config: IpConfig
  readonly read: () => Promise<IpConfig | undefined>
}

function IpPoolForm({ config: current, read, info, onSaved, onClose }: IpPoolFormProps) {
  const { network_number } = info
  const { start: config, values, reload } = useFormStart(current, read, toValues)
  const edit = useEditIpConfig()
  const form = useContractForm<Values, Parsed>(schema as z.ZodType<Parsed, Values>, values, {
    reload,
    draft: {
      key: `ip pool ${network_number}`,
      fields: ['gateway', 'mask', 'pop', 'pop_software', 'center_link_network', 'center_network'],
    },
  })
  const { question, submitText, save } = usePackedSave<Parsed>((values) =>
    edit.trigger({ network_number, revision: config.revision, ...values }),
  )
  const labels = new Map(config.center_network.map((center) => [center.router_name, memberLabel(center)]))
  return (
    <SettingDialog
      title="IP地址池"
      form={form}
      command={save}
      onSaved={onSaved}
      onClose={onClose}
      widthPx={640}
      schema={schema as z.ZodType<Parsed, Values>}
      toRequest={(values) => ({
        call: 'edit_ip_address_pool',
        input: { network_number, revision: config.revision, ...values, pack: 1 },
      })}
      submitText={submitText}
    >
      <SegmentFields form={form} at="" title="组网地址范围" note="留空则不限；网段被占用时，优先从该范围推荐可用网段" />
      {config.center_network.map(({ router_name }, n) => (
        <CenterPools key={router_name} form={form} n={n} label={labels.get(router_name) ?? router_name} />
      ))}
      {config.center_link_network !== null && (
        <SegmentFields form={form} at="center_link_network" title={SETTING_TITLE.center_link} isInterlink />
      )}
      <SegmentFields form={form} at="pop" title="POP硬件网段" note="使用POP资源前须设置" />
      <SegmentFields form={form} at="pop_software" title="POP软件网段" note="使用POP资源前须设置" />
      <FieldProposal form={form} />
      {question !== null && (
        <Notice tone="warn" role="alert">
          {question}
        </Notice>
      )}
    </SettingDialog>
  )
}

interface CenterPoolsProps {
  readonly form: ReturnType<typeof useContractForm<Values, Parsed>>
  readonly n: number
  readonly label: string
}

function CenterPools({ form, n, label }: CenterPoolsProps) {
  return (
    <>
      <SegmentFields form={form} at={`center_network.${n}.router`} title={`${label} · 硬件网段`} required hasPool />
      <SegmentFields form={form} at={`center_network.${n}.software`} title={`${label} · 软件网段`} required hasPool />
    </>
  )
}
