import * as z from 'zod'
import { fixedPortFields, requireDistinctPorts } from '#contract/network/fields.ts'
import { PORT } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useEditFixedPorts } from '#pages/network/api.ts'
import type { Member } from '#pages/network/live-network.ts'
import type { MemberDialogProps } from '../dialog-context.ts'
import { SettingDialog, useMemberForm } from '../setting-dialog.tsx'
import styles from './address-fields.module.css'

/* Dialog of a centre's fixed ports, and of the public address and port that lead to them. */

type Service = 'router_service' | 'software_service'
type Pair = Omit<NonNullable<Member['fixed_port']>[Service], 'port'>
type Values = Record<Service, Pair>
const rules = z.object(fixedPortFields).superRefine(requireDistinctPorts)
const schema = rules as z.ZodType<z.output<typeof rules>, Values>

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

export function FixedPortDialog({ info, member, ...handlers }: MemberDialogProps) {
  const { start, form } = useMemberForm('fixed ports', schema, { info, member }, toValues)
  const { router_name, revisions } = start
  const target = { network_number: info.network_number, router_name, revision: revisions['fixed_port'] }
  const edit = useEditFixedPorts()
  const { control } = form
  return (
    <SettingDialog
      title={`固定端口 · ${memberLabel(start)}`}
      form={form}
      widthPx={560}
      toRequest={(values) => ({ call: 'fixed_port', input: { ...target, ...values } })}
      send={({ input }) => edit.trigger(input)}
      {...handlers}
    >
      {SERVICES.map(([at, title]) => (
        <fieldset key={at} className={`${styles.group} ${styles.ports}`}>
          <legend>{title}</legend>
          <p className={styles.note}>
            {start.fixed_port !== null && `当前使用本地端口 ${start.fixed_port[at].port}；`}端口范围 {PORT.min}~
            {PORT.max}
            ，全部留空则自动分配
          </p>
          <TextField control={control} name={`${at}.public_ip`} label="公网IP" isCode />
          <NumberField control={control} name={`${at}.public_port`} label="公网端口" />
          <NumberField control={control} name={`${at}.static_port`} label="本地端口" />
        </fieldset>
      ))}
      <FieldProposal form={form} />
    </SettingDialog>
  )
}
