import Button from '@douyinfe/semi-ui/lib/es/button'
import { useFieldArray, useWatch } from 'react-hook-form'
import * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { pointLinkRows } from '#contract/network/fields.ts'
import { canLink } from '#domain/network/members/pair-links.ts'
import type { networkApi } from '#contract/network/index.ts'
import { MASK, NETWORK } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { FieldNotes } from '#ui/form/field-notes.tsx'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { useEditPointLink, usePointLink } from '#pages/network/api.ts'
import { toRole } from '#pages/network/network-text.ts'
import type { Member } from '#pages/network/live-network.ts'
import type { MemberDialogProps } from '../dialog-context.ts'
import { MaskField } from '../mask-field.tsx'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { useErrorPlace } from '#ui/form/error-places.ts'
import { type Loaded, SettingDialog, useSettingForm } from '../setting-dialog.tsx'
import styles from './routing.module.css'

/* Dialog of the direct links of a member to other points (点对点互联). */

const TITLE = '点对点互联'
const schema = z.object({ link_config: pointLinkRows })
type PointLinkForm = ContractForm<z.input<typeof schema>, z.output<typeof schema>>
type Links = Output<typeof networkApi.pointLink>

export function PointLinkDialog(props: MemberDialogProps) {
  const { info, member } = props
  const query = usePointLink({ network_number: info.network_number, router_name: member.router_name })
  const current = query.data?.data
  if (current === undefined) return <LoadingDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedPointLink {...props} current={current} read={async () => (await query.mutate())?.data} />
}

function LoadedPointLink({ info, member, current, read, ...handlers }: MemberDialogProps & Loaded<Links>) {
  const { network_number } = info
  const { router_name } = member
  const key = `point_link ${network_number} ${router_name}`
  const { start, form } = useSettingForm(key, schema, { current, read }, toValues)
  const target = { network_number, router_name, revision: start.revision }
  const edit = useEditPointLink()
  const peers = info.member.filter((other) => other.router_name !== router_name && canLink(toRole(other)))
  return (
    <SettingDialog
      title={`${TITLE} · ${memberLabel(member)}`}
      form={form}
      widthPx={720}
      toRequest={({ link_config }) => ({ call: 'edit_point_link', input: { ...target, link_config } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      <Rows form={form} peers={peers} freeGateway={start.free_gateway} saved={start.linkList} />
    </SettingDialog>
  )
}

const toValues = ({ linkList }: Links) => ({
  link_config: linkList.map(({ router_name, gateway, mask, static_port }) => ({
    router_name,
    gateway,
    mask,
    static_port,
  })),
})

interface RowsProps {
  readonly form: PointLinkForm
  readonly peers: readonly Member[]
  readonly freeGateway: string
  readonly saved: Links['linkList']
}

function Rows({ form, peers, freeGateway, saved }: RowsProps) {
  const { control, formState } = form
  const chosen = useWatch({ control, name: 'link_config' })
  const problems = formState.errors.link_config
  useErrorPlace(control, 'link_config')
  const { fields, append, remove } = useFieldArray({ control, name: 'link_config' })
  const options = peers.map((peer) => ({ value: peer.router_name, label: memberLabel(peer) }))
  const isFull = fields.length >= Math.min(peers.length, NETWORK.pointLinksMax)
  const add = () =>
    append({
      router_name: '',
      gateway: fields.length === 0 ? freeGateway : '',
      mask: MASK.interlinkDefault,
      static_port: null,
    })
  return (
    <>
      <span className="nl-help">互联的两端各得到同一条设置；每条互联使用独立的网段，端口留空时自动选择。</span>
      {fields.map(({ id }, i) => (
        <fieldset key={id} className={styles.link} aria-label={`第 ${i + 1} 条互联`}>
          <SelectField
            control={control}
            name={`link_config.${i}.router_name`}
            label="互联成员"
            required
            searchable
            options={options}
          />
          <TextField control={control} name={`link_config.${i}.gateway`} label="网段" required isCode />
          <MaskField control={control} name={`link_config.${i}.mask`} required range="interlink" />
          <NumberField control={control} name={`link_config.${i}.static_port`} label="本地端口" />
          <Button theme="borderless" type="danger" onClick={() => remove(i)}>
            删除
          </Button>
          <Ports link={saved.find(({ router_name }) => router_name === chosen[i]?.router_name)} />
        </fieldset>
      ))}
      <FieldNotes id="link_config" error={problems?.root?.message ?? problems?.message} />
      <FieldProposal form={form} />
      <Button onClick={add} disabled={isFull}>
        {peers.length === 0 ? '没有可互联的成员' : '添加互联'}
      </Button>
    </>
  )
}

/** Ports in use at both ends, for a port that is forwarded to the device. */
function Ports({ link }: { readonly link: Links['linkList'][number] | undefined }) {
  if (link === undefined) return null
  const { port, client_port: clientPort } = link
  const [own, other] = link.is_server === 1 ? [port, clientPort] : [clientPort, port]
  return (
    <span
      className={`nl-help ${styles.ports}`}
    >{`使用中的UDP端口：本端 ${own ?? '不固定'}，对端 ${other ?? '不固定'}`}</span>
  )
}
