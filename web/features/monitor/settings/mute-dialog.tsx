import * as z from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useMonitorRouters, useMute, useNetworkNames } from '../api.ts'
import { DURATION_OPTIONS } from '../monitor-text.ts'
import { useMonitorRights } from '../rights.ts'

/* Dialog that mutes the alerts of a member, a network or the account for a while. */

const muteForm = z
  .object({
    kind: z.enum(['router', 'network', 'all']),
    router_name: z.string(),
    network_number: z.string(),
    duration: z.enum(['hour', 'day', 'week']),
  })
  .superRefine(({ kind, router_name, network_number }, issues) => {
    if (kind === 'router' && router_name === '')
      issues.addIssue({ code: 'custom', path: ['router_name'], message: '请选择成员' })
    if (kind === 'network' && network_number === '')
      issues.addIssue({ code: 'custom', path: ['network_number'], message: '请选择组网' })
  })

const KINDS = [
  { value: 'router', label: '成员' },
  { value: 'network', label: '组网' },
] as const
const ALL = { value: 'all', label: '全部告警' } as const

export function MuteDialog({ onClose }: { readonly onClose: () => void }) {
  const rights = useMonitorRights()
  const routers = useMonitorRouters().data?.data ?? []
  const networks = useNetworkNames().data?.data ?? []
  const mute = useMute()
  const form = useContractForm(muteForm, { kind: 'router', router_name: '', network_number: '', duration: 'hour' })
  const { control } = form
  const kind = form.watch('kind')
  const save = async ({ kind: of, duration, router_name, network_number }: z.infer<typeof muteForm>) => {
    const target =
      of === 'router' ? { kind: of, router_name } : of === 'network' ? { kind: of, network_number } : { kind: of }
    await mute.trigger({ ...target, duration })
  }
  return (
    <FormDialog title="添加静默" form={form} command={save} onClose={onClose} submitText="静默">
      <RadioField control={control} name="kind" label="对象" options={rights.whole ? [...KINDS, ALL] : [...KINDS]} />
      {kind === 'router' && (
        <SelectField
          control={control}
          name="router_name"
          label="成员"
          required
          searchable
          options={routers.map((one) => ({ value: one.router_name, label: one.note || one.router_name }))}
        />
      )}
      {kind === 'network' && (
        <SelectField
          control={control}
          name="network_number"
          label="组网"
          required
          searchable
          options={networks.map((one) => ({ value: one.network_number, label: one.network_name }))}
        />
      )}
      <RadioField control={control} name="duration" label="时长" options={[...DURATION_OPTIONS]} />
    </FormDialog>
  )
}
