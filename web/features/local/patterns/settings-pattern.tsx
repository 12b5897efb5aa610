import { useSearchParams } from 'react-router'
import * as z from 'zod'
import { Form, FormActions } from '#ui/form/form.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { SwitchField } from '#ui/form/inputs/switch-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { LONG_NAME } from '../samples/sample-data.ts'

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

const LONG_HELP =
  '设备离线超过上面的延迟后发送，恢复时另发一条；中心点离线时它的普通点不再逐个通知，组网中断只通知一次，直到任一中心点恢复在线'

const wait = () => new Promise((resolve) => setTimeout(resolve, 600))

/** A page of settings: a panel a subject, each a form with its own save button. */
export function SettingsPattern() {
  const isLong = useSearchParams()[0].get('rows') === 'long'
  return <Settings key={String(isLong)} isLong={isLong} />
}

function Settings({ isLong }: { readonly isLong: boolean }) {
  const form = useContractForm(settings, {
    name: isLong ? LONG_NAME : '值班组',
    delay: '60',
    offline: true,
    flapping: false,
  })
  const { control } = form
  return (
    <>
      <PageHeader title="设置页" facts="每个主题一个面板，保存按钮在自己的面板里" />
      <Panel title="通知">
        <Form form={form} onSubmit={wait}>
          <TextField control={control} name="name" label="接收组" required maxLength={24} />
          <SelectField control={control} name="delay" label="延迟" options={[...DELAYS]} />
          <SwitchField control={control} name="offline" label="设备离线" help={isLong ? LONG_HELP : '恢复时另发一条'} />
          <SwitchField control={control} name="flapping" label="状态抖动" />
          <FormActions submitText="保存" busy={form.busy} onCancel={() => form.reset()} />
        </Form>
      </Panel>
    </>
  )
}
