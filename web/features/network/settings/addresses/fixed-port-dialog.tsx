import * as z from 'zod'
import { fixedPortFields, requireDistinctPorts } from '#contract/network/fields.ts'
import { PORT } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { useEditFixedPorts } from '#pages/network/api.ts'
import type { Member } from '#pages/network/live-network.ts'
import type { MemberDialogProps } from '../dialog-context.ts'
import { useMemberStart } from '../dialog-start.tsx'
import { SettingDialog } from '../setting-dialog.tsx'
import styles from './address-fields.module.css'

/* Dialog of a centre's fixed ports, and of the public address and port that lead to them. */

const schema = z.object(fixedPortFields).superRefine(requireDistinctPorts)
type Service = 'router_service' | 'software_service'
interface Pair {
  public_ip: string
  public_port: number | null
  static_port: number | null
}
type Values = Record<Service, Pair>
type Ports = z.output<typeof schema>

const SERVICES = [
  ['router_service', '硬件服务'],
  ['software_service', '软件服务'],
] as const

const toPair = ({ public_ip, public_port, static_port }: Pair): Pair => ({ public_ip, public_port, static_port })
const NONE: Pair = { public_ip: '', public_port: null, static_port: null }
const toValues = ({ fixed_port: ports }: Member): Values => ({
  router_service: toPair(ports?.router_service ?? NONE),
  software_service: toPair(ports?.software_service ?? NONE),
})

export function FixedPortDialog({ info, member: current, onSaved, onClose }: MemberDialogProps) {
  const { network_number } = info
  const { start: member, values, reload } = useMemberStart(info, current, toValues)
  const { router_name, revisions } = member
  const edit = useEditFixedPorts()
  const form = useContractForm<Values, Ports>(schema as z.ZodType<Ports, Values>, values, {
    reload,
    draft: { key: `fixed ports ${network_number} ${router_name}`, fields: ['router_service', 'software_service'] },
  })
  const toInput = (values: Ports) => ({ network_number, router_name, revision: revisions['fixed_port'], ...values })
  return (
    <SettingDialog
      title={`固定端口 · ${memberLabel(member)}`}
      form={form}
      command={(values) => edit.trigger(toInput(values))}
      onSaved={onSaved}
      onClose={onClose}
      widthPx={560}
      schema={schema as z.ZodType<Ports, Values>}
      toRequest={(values) => ({ call: 'fixed_port', input: toInput(values) })}
    >
      {SERVICES.map(([at, title]) => (
        <ServiceFields key={at} form={form} at={at} title={title} port={member.fixed_port?.[at].port} />
      ))}
      <FieldProposal form={form} />
    </SettingDialog>
  )
}

interface ServiceFieldsProps {
  readonly form: ContractForm<Values, Ports>
  readonly at: Service
  readonly title: string
  readonly port: number | undefined
}

function ServiceFields({ form: { control }, at, title, port }: ServiceFieldsProps) {
  return (
    <fieldset className={`${styles.group} ${styles.ports}`}>
      <legend>{title}</legend>
      <p className={styles.note}>
        {port !== undefined && `当前使用本地端口 ${port}；`}端口范围 {PORT.min}~{PORT.max}，全部留空则自动分配
      </p>
      <TextField control={control} name={`${at}.public_ip`} label="公网IP" isCode maxLength={15} />
      <NumberField control={control} name={`${at}.public_port`} label="公网端口" maxLength={PORT.inputMax} />
      <NumberField control={control} name={`${at}.static_port`} label="本地端口" maxLength={PORT.inputMax} />
    </fieldset>
  )
}
