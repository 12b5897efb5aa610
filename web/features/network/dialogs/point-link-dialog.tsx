import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useFieldArray } from 'react-hook-form'
import * as z from 'zod'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import { MASK, NETWORK, PORT } from '../../../../worker/contract/limits.ts'
import type { networkApi } from '../../../../worker/contract/network.ts'
import { pointLinkRows } from '../../../../worker/contract/network-fields.ts'
import { canLink } from '../../../../worker/domain/network/point-links.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { FieldNotes } from '../../../ui/form/field.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import type { ContractForm } from '../../../ui/form/use-contract-form.ts'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { useEditPointLink, usePointLink } from '../api.ts'
import type { Member } from '../projection.ts'
import { toRole } from '../network-text.ts'
import { FormImpact } from '../parts/impact-list.tsx'
import type { MemberDialogProps } from './dialog-context.ts'
import { LoadedDialog } from './loaded-dialog.tsx'
import styles from './point-link-dialog.module.css'

const TITLE = '点对点互联'
const schema = z.object({ link_config: pointLinkRows })
type Values = z.input<typeof schema>
type PointLinkForm = ContractForm<Values, z.output<typeof schema>>
type Links = Output<typeof networkApi.pointLink>

export function PointLinkDialog(props: MemberDialogProps) {
  const { info, member } = props
  const query = usePointLink({ network_number: info.network_number, router_name: member.router_name })
  const links = query.data?.data
  if (links === undefined) return <LoadedDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedPointLink {...props} links={links} />
}

function LoadedPointLink({ info, member, links: read, ...handlers }: MemberDialogProps & { readonly links: Links }) {
  const { network_number } = info
  const { router_name } = member
  const [links] = useState(read)
  const edit = useEditPointLink()
  const toInput = ({ link_config }: z.output<typeof schema>) => ({
    network_number,
    router_name,
    link_config,
    revision: links.revision,
  })
  const peers = info.member.filter((other) => other.router_name !== router_name && canLink(toRole(other)))
  return (
    <SimpleFormDialog
      title={`${TITLE}：${memberLabel(member)}`}
      widthPx={720}
      schema={schema}
      values={{ link_config: links.linkList.map(toRow) }}
      draft={{ key: `point_link ${network_number} ${router_name}`, fields: ['link_config'] }}
      command={(values) => edit.trigger(toInput(values))}
      foot={(form) => (
        <FormImpact
          form={form}
          schema={schema}
          toRequest={(values) => ({ call: 'edit_point_link', input: toInput(values) })}
        />
      )}
      fields={(form) => <Rows form={form} peers={peers} freeGateway={links.free_gateway} />}
      {...handlers}
    />
  )
}

const toRow = ({ router_name, gateway, mask, static_port }: Links['linkList'][number]) => ({
  router_name,
  gateway,
  mask,
  static_port,
})

interface RowsProps {
  readonly form: PointLinkForm
  readonly peers: readonly Member[]
  readonly freeGateway: string
}

function Rows({ form: { control, formState }, peers, freeGateway }: RowsProps) {
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
        <fieldset key={id} className={styles.row} aria-label={`第 ${i + 1} 条互联`}>
          <SelectField
            control={control}
            name={`link_config.${i}.router_name`}
            label="互联成员"
            required
            searchable
            options={options}
          />
          <TextField control={control} name={`link_config.${i}.gateway`} label="网段" required isCode maxLength={15} />
          <NumberField control={control} name={`link_config.${i}.mask`} label="掩码" required maxLength={2} />
          <NumberField
            control={control}
            name={`link_config.${i}.static_port`}
            label="本地端口"
            maxLength={PORT.inputMax}
          />
          <Button theme="borderless" type="danger" onClick={() => remove(i)}>
            删除
          </Button>
        </fieldset>
      ))}
      <FieldNotes id="link_config" error={formState.errors.link_config?.root?.message} />
      <Button onClick={add} disabled={isFull}>
        {peers.length === 0 ? '没有可互联的成员' : '添加互联'}
      </Button>
    </>
  )
}
