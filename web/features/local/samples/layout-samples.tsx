import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import * as z from 'zod'
import { SENTENCE } from '#contract/kernel/result.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { toFieldChanges } from '#domain/logs/audit-difference.ts'
import { ApiError } from '#lib/call/transport.ts'
import { toast } from '#lib/toast/toast.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { Dialog, SideDrawer } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { SidePanel, Beside } from '#ui/dialog/side-panel.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { BeforeAfter } from '#ui/layout/before-after.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { ExportButton } from '#ui/layout/buttons/export-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { InfoPopover } from '#ui/layout/text/info-popover.tsx'
import { ExpiryDate, ExpiryText, SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { TruncatedText } from '#ui/layout/text/tooltip.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { ActionRow } from '#ui/table/row-actions.tsx'
import { ACTIONS, ERROR, LONG, REASON, SAMPLE_NOW, type Samples, wait } from './sample.tsx'

/* Kit samples of texts, page layout and dialogs. */

const DAY = 86_400_000
const LOADED_AT = Date.now()

const TEXT_FACTS = [
  { label: '组网编号', value: <CopyText text="NW20260115003" label="复制编号" /> },
  { label: '备注', value: <TruncatedText text={LONG.note} max={18} /> },
  { label: '创建时间', value: <TimeText at={SAMPLE_NOW} /> },
  { label: '最近变更', value: <TimeText at={LOADED_AT - 300_000} mode="relative" /> },
  { label: '最近登录', value: <TimeText at={null} never="从未" /> },
  { label: '在线时长', value: <SinceText at={LOADED_AT - 3.2 * DAY} /> },
  { label: '服务到期', value: <ExpiryText at={LOADED_AT + 200 * DAY} /> },
  { label: '带宽到期', value: <ExpiryText at={LOADED_AT + 21 * DAY} /> },
  { label: '授权到期', value: <ExpiryText at={LOADED_AT - DAY} /> },
  { label: '设备到期', value: <ExpiryDate at={LOADED_AT + 3 * DAY} /> },
]

const CHANGES = toFieldChanges(
  { network_name: '华东组网', note: '', dns: ['10.0.0.53'], status: 1 },
  { network_name: LONG.name, note: '2026年扩容', dns: ['10.0.0.53', '223.5.5.5'], version: 12 },
)

async function refuseExport(): Promise<never> {
  await wait(2_000)
  toast.error('没有可导出的示例数据')
  throw new Error('refused')
}

export const LAYOUT_SAMPLES: Samples = {
  组网信息: <Facts facts={TEXT_FACTS} />,
  修改前后: <BeforeAfter label="修改前后" changes={CHANGES} />,
  操作: (
    <div className="nl-flow">
      <PageActions
        subject="总部互联"
        main={[{ label: '管理成员', onSelect: () => {} }]}
        beside={[{ label: '添加成员', blocked: '当前角色没有权限' }]}
        more={ACTIONS}
      />
      <InfoPopover label="组网信息">组网类型：中心组网</InfoPopover>
      <ActionButton blocked={SENTENCE.permissionDenied}>创建组网</ActionButton>
      <ExportButton onExport={refuseExport} />
    </div>
  ),
}

export function SidePanelSample() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Beside>
      <Panel title="内容">
        <Button onClick={() => setIsOpen(!isOpen)}>打开或关闭面板</Button>
      </Panel>
      {isOpen && (
        <SidePanel
          title={LONG.note}
          onClose={() => setIsOpen(false)}
          footer={<ActionRow actions={ACTIONS} subject={LONG.note} />}
        >
          <StatusBadge state="offline" reason={REASON.lost} since={SAMPLE_NOW - 3_600_000} />
        </SidePanel>
      )}
    </Beside>
  )
}

const confirmDelete = () =>
  confirm({
    title: '删除 3 台路由器？',
    body: '是否确定删除? 将同时移除它们在 2 个组网中的链路与配置，删除后无法恢复。',
    items: ['上海总部（NR20260001）', '苏州工厂（NR20260038）', '成都分公司（NR20260075）'],
    verb: '删除 3 台路由器',
    danger: true,
    run: () => wait(1_200),
  })

const confirmTyped = () =>
  confirm({
    title: '批量删除 128 个软件成员',
    body: '这些成员将立即断开连接，且无法恢复。',
    verb: '删除 128 个成员',
    danger: true,
    typed: '确认操作',
  })

const CIPHERS = ['AES-256-GCM', 'AES-128-GCM'].map((value) => ({ value, label: value }))
const rename = z.object({
  network_name: z.string().trim().min(1, '请输入名称').max(NETWORK.nameMax, '名称最多 24 个字符'),
  cipher: z.string(),
})

function RenameDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useContractForm(rename, { network_name: '华东生产网', cipher: 'AES-256-GCM' })
  const save = async ({ network_name }: z.output<typeof rename>) => {
    await wait(900)
    if (network_name === '总部') throw new ApiError(422, '该名称已被使用，请更换', { field: 'network_name' })
    if (network_name === '故障') throw ERROR
  }
  return (
    <FormDialog title="修改示例名称" form={form} command={save} sendsUnchanged onClose={onClose}>
      <TextField
        control={form.control}
        name="network_name"
        label="组网名称"
        required
        max={NETWORK.nameMax}
        help="输入“总部”可见字段错误，输入“故障”可见整体错误"
      />
      <SelectField control={form.control} name="cipher" label="加密算法" options={CIPHERS} />
    </FormDialog>
  )
}

const DIALOGS = { 表单对话框: RenameDialog, 对话框: NoticeDialog, 侧边抽屉: RouterDrawer }

function NoticeDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="系统维护通知" onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      平台将于 2026-01-18 02:00 至 04:00 进行维护，期间配置下发会暂缓，已建立的连接不受影响。
    </Dialog>
  )
}

function RouterDrawer({ onClose }: { readonly onClose: () => void }) {
  return (
    <SideDrawer title="上海总部" onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <Facts facts={TEXT_FACTS} />
    </SideDrawer>
  )
}

export function DialogSamples() {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const Opened = opened === null ? null : DIALOGS[opened]
  return (
    <div className="nl-flow">
      <Button onClick={confirmDelete}>确认</Button>
      <Button onClick={confirmTyped}>输入确认</Button>
      {(['表单对话框', '对话框', '侧边抽屉'] as const).map((name) => (
        <Button key={name} onClick={() => setOpened(name)}>
          {name}
        </Button>
      ))}
      {Opened !== null && <Opened onClose={() => setOpened(null)} />}
    </div>
  )
}
