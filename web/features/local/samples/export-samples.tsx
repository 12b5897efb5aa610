import { toFieldChanges } from '#domain/logs/audit-difference.ts'
import { toast } from '#lib/toast/toast.ts'
import { BeforeAfter } from '#ui/layout/before-after.tsx'
import { ExportButton } from '#ui/layout/buttons/export-button.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import styles from '../kit.module.css'

const CHANGES = toFieldChanges(
  { network_name: '华东组网', note: '', dns: ['10.0.0.53'], status: 1 },
  {
    network_name: '华东与华北一体化组网（含备用中心点）',
    note: '2026年扩容',
    dns: ['10.0.0.53', '223.5.5.5'],
    version: 12,
  },
)

/** Sample export that takes two seconds. */
async function makeFile() {
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  toast.done('导出成功')
  return { file_name: '示例.txt', data: btoa('sample') }
}

async function refuse(): Promise<never> {
  toast.error('没有可导出的示例数据')
  throw new Error('refused')
}

export function ExportSamples() {
  return (
    <div className={styles.forms}>
      <Panel title="修改前后">
        <BeforeAfter label="修改前后" changes={CHANGES} />
      </Panel>
      <Panel title="导出">
        <ExportButton onExport={makeFile} /> <ExportButton label="导出（无数据）" onExport={refuse} />
      </Panel>
    </div>
  )
}
