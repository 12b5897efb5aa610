import { useState } from 'react'
import * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { routerName } from '#contract/kernel/fields.ts'
import { DIAGNOSIS, DIAGNOSIS_KIND_NAME, diagnosisFields } from '#contract/network/diagnosis.ts'
import type { networkApi } from '#contract/network/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Dialog, LoadingDialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { DiagnosisSteps } from './diagnosis-steps.tsx'
import { useDiagnose, useDiagnosedNetwork } from './use-diagnosis.ts'

/* Dialog of a diagnosis (诊断): from a member to an address, then its steps while it runs. */

type NetworkInfo = Output<typeof networkApi.info>

interface DiagnosisDialogProps {
  readonly networkNumber: string
  /** Router that it begins at; '' for the first one. */
  readonly from: string
  /** Router whose inner address is proposed; '' for none. */
  readonly to: string
  readonly onClose: () => void
}

export function DiagnosisDialog(props: DiagnosisDialogProps) {
  const { networkNumber, onClose } = props
  const [jobId, setJobId] = useState<string | null>(null)
  const query = useDiagnosedNetwork(networkNumber)
  const info = query.data?.data
  if (jobId !== null)
    return (
      <Dialog title="诊断" widthPx={560} onClose={onClose}>
        <DiagnosisSteps networkNumber={networkNumber} jobId={jobId} />
      </Dialog>
    )
  if (info === undefined) return <LoadingDialog title="诊断" query={query} onClose={onClose} />
  return <DiagnosisForm {...props} info={info} onStarted={setJobId} />
}

/** A source that another kind hides is not sent, so it is no fault here. */
const schema = z.object({ router_name: routerName, ...diagnosisFields })

interface DiagnosisFormProps extends DiagnosisDialogProps {
  readonly info: NetworkInfo
  readonly onStarted: (jobId: string) => void
}

const KINDS = (['path', 'ping', 'traceroute'] as const).map((value) => ({ value, label: DIAGNOSIS_KIND_NAME[value] }))

function DiagnosisForm({ info, from, to, onStarted, onClose }: DiagnosisFormProps) {
  const { network_number } = info
  const hardware = info.member.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware)
  const first = hardware.find(({ member_type }) => member_type === 'point') ?? hardware[0]
  const start = hardware.find(({ router_name }) => router_name === from) ?? first
  const diagnose = useDiagnose()
  const form = useContractForm(schema, {
    router_name: start?.router_name ?? '',
    kind: 'path',
    source: '',
    destination: addressOf(info, start?.router_name ?? '', to),
    count: DIAGNOSIS.countDefault,
  })
  const { control, watch } = form
  const kind = watch('kind')
  return (
    <FormDialog
      title="诊断"
      form={form}
      sendsUnchanged
      submitText="开始"
      command={async (values) => {
        const { data } = await diagnose.trigger({
          network_number,
          ...values,
          source: kind === 'path' ? values.source : '',
        })
        onStarted(data.job_id)
        return false
      }}
      onClose={onClose}
    >
      <RadioField control={control} name="kind" label="方式" options={KINDS} help={HELP[kind]} />
      <SelectField
        control={control}
        name="router_name"
        label="从"
        required
        searchable
        options={hardware.map((member) => ({ value: member.router_name, label: memberLabel(member) }))}
        emptyText="该组网没有硬件成员"
      />
      {kind === 'path' && (
        <TextField
          control={control}
          name="source"
          label="源地址"
          isCode
          placeholder="该成员自身"
          help="可填该成员 LAN 内的地址，只查询路由，不发送数据包"
        />
      )}
      <TextField control={control} name="destination" label="目的地址" required isCode help="该组网有效网段内的地址" />
      {kind !== 'traceroute' && <NumberField control={control} name="count" label="Ping 次数" required />}
    </FormDialog>
  )
}

const HELP = {
  path: '逐跳对比配置与各设备的实际路由，指出第一处差异',
  ping: '从该成员经组网隧道发送 Ping',
  traceroute: '从该成员经组网隧道逐跳探测',
} as const

/** Inner address of a router: on the link between the two, or else its first one. */
function addressOf({ link: links, member }: NetworkInfo, from: string, to: string): string {
  if (to === '') return ''
  const link = links.find(
    ({ router_name, center_router_name }) =>
      [router_name, center_router_name].includes(from) && [router_name, center_router_name].includes(to),
  )
  if (link) return link.router_name === to ? link.vpn_ip : link.center_vpn_ip
  return member.find(({ router_name }) => router_name === to)?.vpn_ip[0] ?? ''
}
