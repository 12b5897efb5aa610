import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import * as z from 'zod'
import { SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { Dialog, SideDrawer } from '#ui/dialog/dialog.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { SAMPLE_NOW } from './sample-data.ts'
import styles from '../kit.module.css'
import { NETWORK } from '#contract/network/limits.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const confirmDelete = () =>
  confirm({
    title: '删除 3 台路由器？',
    body: '是否确定删除? 将同时移除它们在 2 个组网中的链路与配置，删除后无法恢复。',
    items: ['上海总部（NR20260001）', '苏州工厂（NR20260038）', '成都分公司（NR20260075）'],
    verb: '删除 3 台路由器',
    danger: true,
    run: () => wait(1_200),
  })

const askTyped = () =>
  confirm({
    title: '批量删除 128 个软件成员',
    body: '这些成员将立即断开连接，且无法恢复。',
    verb: '删除 128 个成员',
    danger: true,
    typed: '确认操作',
  })

const askRefused = () =>
  confirm({
    title: '关闭示例开关？',
    verb: '关闭开关',
    run: async () => {
      await wait(600)
      throw new ApiError(423, '示例设备没有响应，请稍后重试')
    },
  })

const rename = z.object({
  network_name: z.string().trim().min(1, '请输入名称').max(NETWORK.nameMax, '名称最多 24 个字符'),
  cipher: z.string(),
})

function RenameDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useContractForm(rename, { network_name: '华东生产网', cipher: 'AES-256-GCM' })
  const save = async ({ network_name }: z.output<typeof rename>) => {
    await wait(900)
    if (network_name === '总部') throw new ApiError(422, '该名称已被使用，请更换', { field: 'network_name' })
    if (network_name === '故障') throw new ApiError(500, SENTENCE.fault, { requestId: '8f3c2a9e-41d7' })
  }
  return (
    <FormDialog title="修改示例名称" form={form} command={save} sendsUnchanged onClose={onClose}>
      <TextField
        control={form.control}
        name="network_name"
        label="组网名称"
        required
        maxLength={NETWORK.nameMax}
        help="输入“总部”可见字段错误，输入“故障”可见整体错误"
      />
      <SelectField
        control={form.control}
        name="cipher"
        label="加密算法"
        options={['AES-256-GCM', 'AES-128-GCM'].map((value) => ({ value, label: value }))}
      />
    </FormDialog>
  )
}

export function DialogSamples() {
  const [open, setOpen] = useState<'form' | 'dialog' | 'drawer' | null>(null)
  const close = () => setOpen(null)
  return (
    <Panel>
      <div className={styles.row}>
        <Button onClick={confirmDelete}>确认</Button>
        <Button onClick={askTyped}>输入确认</Button>
        <Button onClick={askRefused}>确认后被拒绝</Button>
        <Button onClick={() => setOpen('form')}>表单对话框</Button>
        <Button onClick={() => setOpen('dialog')}>对话框</Button>
        <Button onClick={() => setOpen('drawer')}>侧边抽屉</Button>
        <ActionButton blocked={SENTENCE.permissionDenied}>创建组网</ActionButton>
      </div>
      {open === 'form' && <RenameDialog onClose={close} />}
      {open === 'dialog' && (
        <Dialog title="系统维护通知" onClose={close} footer={<Button onClick={close}>关闭</Button>}>
          平台将于 2026-01-18 02:00 至 04:00 进行维护，期间配置下发会暂缓，已建立的连接不受影响。
        </Dialog>
      )}
      {open === 'drawer' && (
        <SideDrawer title="上海总部" onClose={close} footer={<Button onClick={close}>关闭</Button>}>
          <Facts
            facts={[
              { label: '状态', value: <StatusBadge state="online" /> },
              { label: '型号', value: 'NL-X2' },
              { label: '软件版本', value: '2.3.1' },
              { label: '最近在线', value: <TimeText at={SAMPLE_NOW} /> },
            ]}
          />
        </SideDrawer>
      )}
    </Panel>
  )
}
