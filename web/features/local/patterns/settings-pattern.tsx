import * as z from 'zod'
import { Form, FormActions } from '../../../ui/form/form.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { SwitchField } from '../../../ui/form/switch-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'

const settings = z.object({
  name: z.string().min(1, '请输入名称'),
  delay: z.enum(['0', '60', '300']),
  offline: z.boolean(),
  flapping: z.boolean(),
})

const DELAYS = [
  { value: '0', label: '立即' },
  { value: '60', label: '1 分钟后' },
  { value: '300', label: '5 分钟后' },
] as const

const wait = () => new Promise((resolve) => setTimeout(resolve, 600))

/** A page of settings: a panel a subject, each a form with its own save button. */
export function SettingsPattern() {
  const form = useContractForm(settings, { name: '值班组', delay: '60', offline: true, flapping: false })
  const { control } = form
  return (
    <>
      <PageHeader title="设置页" facts="每个主题一个面板，保存按钮在自己的面板里" />
      <Panel title="通知">
        <Form form={form} onSubmit={wait}>
          <TextField control={control} name="name" label="接收组" required maxLength={24} />
          <SelectField control={control} name="delay" label="延迟" options={[...DELAYS]} />
          <SwitchField control={control} name="offline" label="设备离线" help="恢复时另发一条" />
          <SwitchField control={control} name="flapping" label="状态抖动" />
          <FormActions submitText="保存" busy={form.busy} onCancel={() => form.reset()} />
        </Form>
      </Panel>
    </>
  )
}
