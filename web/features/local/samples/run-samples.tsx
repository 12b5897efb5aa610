import * as z from 'zod'
import { Form } from '#ui/form/form.tsx'
import { RemoteSelectField } from '#ui/form/inputs/remote-select-field.tsx'
import { SecretField } from '#ui/form/inputs/secret-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { RunProgress } from '#ui/state/run-progress.tsx'
import styles from '../kit.module.css'

const ROUTERS = ['上海总部', '杭州分支', '成都机房'].map((label, n) => ({ value: `NL80C00${n + 1}`, label }))
const useFound = (search: string) => ROUTERS.filter(({ label }) => label.includes(search))

const connection = z.object({ password: z.string(), secret: z.string(), router_name: z.string() })

export function RunSamples() {
  return (
    <div className={styles.forms}>
      <Panel title="数量未知">
        <RunProgress label="目录同步" phase="正在读取" done={1_500} total={0} unit="个用户" />
      </Panel>
      <Panel title="进行中">
        <RunProgress label="目录导入" phase="正在写入" done={420} total={2_000} unit="个成员" />
      </Panel>
      <Panel title="密钥与远程搜索">
        <ConnectionForm />
      </Panel>
    </div>
  )
}

function ConnectionForm() {
  const form = useContractForm(connection, { password: '', secret: '', router_name: 'NL80C002' })
  const { control } = form
  return (
    <Form form={form} onSubmit={async () => {}}>
      <SecretField control={control} name="password" label="密码" required isStored={false} maxLength={64} />
      <SecretField control={control} name="secret" label="AppSecret" isStored maxLength={64} />
      <RemoteSelectField
        control={control}
        name="router_name"
        label="硬件设备"
        placeholder="按名称搜索"
        useOptions={useFound}
        preset={{ value: 'NL80C002', label: '杭州分支' }}
      />
    </Form>
  )
}
