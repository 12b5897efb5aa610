import { Fragment } from 'react'
import * as z from 'zod'
import { routerName } from '#contract/kernel/fields.ts'
import { toPool } from '#domain/network/compile/server-segments.ts'
import { gatewaySegment, interlinkSegment, ipConfigFields, poolFields, requireRange } from '#contract/network/fields.ts'
import { MASK } from '#contract/network/limits.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import { SETTING_TITLE } from '#domain/network/history/setting-words.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type IpConfig, useEditIpConfig, useIpConfig } from '#pages/network/api.ts'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { type Loaded, useSettingForm } from '../setting-dialog.tsx'
import { PackedDialog, SegmentFields } from './segment-form.tsx'

/* Dialog of the IP pool of a network: its segments, and the ranges of addresses that members get. */

type Pool = IpConfig['center_network'][number]['router']
type Segment = Pick<Pool, 'gateway' | 'mask'>
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
const rules = z
  .object({
    gateway: ipConfigFields.gateway,
    mask: ipConfigFields.mask,
    pop: orNull(gatewaySegment),
    pop_software: orNull(gatewaySegment),
    center_link_network: orNull(interlinkSegment),
    center_network: z.array(z.object({ router_name: routerName, router: poolFields, software: poolFields })),
  })
  .superRefine(requireRange)
const schema = rules as z.ZodType<z.output<typeof rules>, Values>

export function IpPoolDialog(props: NetworkDialogProps) {
  const { data, error, mutate } = useIpConfig(props.info.network_number)
  if (data) return <IpPoolForm current={data.data} read={async () => (await mutate())?.data} {...props} />
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

function IpPoolForm({ info, current, read, ...handlers }: NetworkDialogProps & Loaded<IpConfig>) {
  const { network_number } = info
  const { start, form } = useSettingForm(`ip pool ${network_number}`, schema, { current, read }, toValues)
  const target = { network_number, revision: start.revision }
  const edit = useEditIpConfig()
  return (
    <PackedDialog
      title="IP地址池"
      form={form}
      widthPx={640}
      toRequest={(values, pack) => ({ call: 'edit_ip_address_pool', input: { ...target, ...values, pack } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      <SegmentFields form={form} at="" title="组网地址范围" note="留空则不限；网段被占用时，优先从该范围推荐可用网段" />
      {start.center_network.map((center, n) => (
        <Fragment key={center.router_name}>
          <SegmentFields
            form={form}
            at={`center_network.${n}.router`}
            title={`${memberLabel(center)} · 硬件网段`}
            required
            hasPool
          />
          <SegmentFields
            form={form}
            at={`center_network.${n}.software`}
            title={`${memberLabel(center)} · 软件网段`}
            required
            hasPool
          />
        </Fragment>
      ))}
      {start.center_link_network !== null && (
        <SegmentFields form={form} at="center_link_network" title={SETTING_TITLE.center_link} isInterlink />
      )}
      <SegmentFields form={form} at="pop" title="POP硬件网段" note="使用POP资源前须设置" />
      <SegmentFields form={form} at="pop_software" title="POP软件网段" note="使用POP资源前须设置" />
    </PackedDialog>
  )
}
