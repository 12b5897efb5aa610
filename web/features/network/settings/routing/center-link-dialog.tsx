import Button from '@douyinfe/semi-ui/lib/es/button'
import type * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { centerLinkForm } from '#contract/network/fields.ts'
import type { networkApi } from '#contract/network/index.ts'
import { SETTING_TITLE } from '#domain/network/history/setting-words.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { useCenterLink, useEditCenterLink, useEditCenterLinkGateway, useEnableCenterLink } from '#pages/network/api.ts'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { ImpactList } from '../impact-list.tsx'
import { MaskField } from '../mask-field.tsx'
import { type Loaded, SettingDialog, useSettingForm } from '../setting-dialog.tsx'

/* Dialog of the link between the two centres of a network. */

const TITLE = SETTING_TITLE.center_link
type Link = Output<typeof networkApi.centerLinkNetwork>
type Values = z.input<typeof centerLinkForm>

export function CenterLinkDialog(props: NetworkDialogProps) {
  const query = useCenterLink(props.info.network_number)
  const current = query.data?.data
  if (current === undefined) return <LoadingDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedCenterLink {...props} current={current} read={async () => (await query.mutate())?.data} />
}

function LoadedCenterLink({ info, current, read, ...handlers }: NetworkDialogProps & Loaded<Link>) {
  const { network_number, member } = info
  const centers = member.filter(({ member_type }) => member_type === 'center')
  const firstCenter = centers[0]?.router_name ?? ''
  const key = `center_link ${network_number}`
  const { start: link, form } = useSettingForm(key, centerLinkForm, { current, read }, (latest) =>
    toValues(latest, firstCenter),
  )
  const isOn = link.enable === 1
  const edit = useEditCenterLink()
  const editGateway = useEditCenterLinkGateway()
  const enable = useEnableCenterLink()
  const target = { network_number, revision: link.revision }
  const turnOff = async () => {
    const isDone = await confirm({
      title: '是否关闭 双中心点互通 ？',
      body: (
        <>
          关闭后两个中心点之间不再直接互通，设置会保留。
          <ImpactList request={{ call: 'enable_center_link', input: { ...target, enable: 0 } }} />
        </>
      ),
      verb: '关闭互通',
      danger: true,
      run: () => enable.trigger({ ...target, enable: 0 }),
    })
    if (!isDone) return
    handlers.onSaved()
    handlers.onClose()
  }
  return (
    <SettingDialog
      title={TITLE}
      submitText={isOn ? '保存' : '开启互通'}
      form={form}
      sendsUnchanged
      toRequest={(values) => toCall(link, values)}
      send={({ call, input }) => (call === 'center_link' ? edit.trigger(input) : editGateway.trigger(input))}
      foot={
        isOn && (
          <Button type="danger" onClick={() => void turnOff()}>
            关闭互通
          </Button>
        )
      }
      {...handlers}
    >
      <LinkFields form={form} link={link} centers={centers} />
    </SettingDialog>
  )
}

interface LinkFieldsProps {
  readonly form: ContractForm<Values, z.output<typeof centerLinkForm>>
  readonly link: Link
  readonly centers: NetworkInfo['member']
}

function LinkFields({ form, link, centers }: LinkFieldsProps) {
  return (
    <>
      <SelectField
        control={form.control}
        name="center_router_name"
        label="服务端"
        required
        options={centers.map((center) => ({ value: center.router_name, label: memberLabel(center) }))}
        help="另一个中心点作为客户端连接它"
      />
      <TextField
        control={form.control}
        name="public_ip"
        label="公网IP"
        isCode
        help="服务端有固定公网地址时填写，网段可不填"
      />
      <NumberField control={form.control} name="public_port" label="公网端口" />
      <NumberField
        control={form.control}
        name="static_port"
        label="本地端口"
        help={link.free_port === null ? '留空时自动选择' : `留空时自动选择，可用端口如 ${link.free_port}`}
      />
      <TextField
        control={form.control}
        name="gateway"
        label="网段"
        isCode
        help={`两个中心点互通使用的网段，可用网段如 ${link.free_gateway}`}
      />
      <MaskField control={form.control} name="mask" range="interlink" />
      <FieldProposal form={form} />
    </>
  )
}

/** A link that was never set gets a free segment as a proposal. */
const toValues = (link: Link, firstCenter: string): Values => ({
  center_router_name: link.center_router_name || firstCenter,
  public_ip: link.public_ip,
  public_port: link.public_port,
  static_port: link.static_port,
  gateway: link.center_router_name === '' && link.gateway === '' ? link.free_gateway : link.gateway,
  mask: link.mask,
  enable: 1,
})

/** Call that saves the form. If the link is on and only its segment has changed, the call sets only the segment. */
function toCall({ network_number, revision, ...link }: Link, values: z.output<typeof centerLinkForm>) {
  const { gateway, mask } = values
  const isSame =
    values.center_router_name === link.center_router_name &&
    (values.public_ip ?? '') === link.public_ip &&
    values.public_port === link.public_port &&
    values.static_port === link.static_port
  return link.enable === 1 && isSame && gateway !== ''
    ? ({ call: 'edit_center_link_gateway', input: { network_number, gateway, mask, revision } } as const)
    : ({ call: 'center_link', input: { network_number, ...values, revision } } as const)
}
