import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Beside } from '#ui/layout/beside.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { InfoPopover } from '#ui/layout/text/info-popover.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Ratio } from '#ui/table/ratio.tsx'
import { ActionRow } from '#ui/table/row-actions.tsx'
import { SidePanel } from '#ui/dialog/side-panel.tsx'
import { SingleCenterBadge, StatusBadge } from '#ui/state/status-badge.tsx'
import { NothingWrong } from '#ui/state/states.tsx'
import styles from '../kit.module.css'
import { LONG_NOTE, REASON, SAMPLE_NOW } from './sample-data.ts'

const RESEND = { label: '重新下发', onSelect: () => {} }
const REMOVE = { label: '移除', danger: true, onSelect: () => {} }

/** Verbs of a page, and the panel next to its content. */
export function PanelSamples() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className={styles.row}>
        <PageActions
          subject="总部互联"
          main={[{ label: '管理成员', onSelect: () => setOpen(true) }]}
          beside={[{ label: '添加成员', blocked: '当前角色没有权限' }]}
          more={[RESEND, REMOVE]}
        />
        <InfoPopover label="组网信息">
          <Facts
            facts={[
              { label: '组网类型', value: '中心组网' },
              { label: '服务等级', value: '标准版' },
            ]}
          />
        </InfoPopover>
        <SingleCenterBadge stale={false} />
        <span>
          链路 <Ratio of={64} total={66} isLacking /> · 配置 <Ratio of={2_000} total={2_000} /> ·{' '}
          <Ratio of={0} total={0} />
        </span>
      </div>
      <Beside>
        <Panel title="内容">
          <Button onClick={() => setOpen(!isOpen)}>{isOpen ? '关闭面板' : '打开面板'}</Button>
          <NothingWrong onClear={() => {}} />
        </Panel>
        {isOpen && (
          <SidePanel
            title={LONG_NOTE}
            onClose={() => setOpen(false)}
            footer={<ActionRow actions={[RESEND, REMOVE]} subject={LONG_NOTE} />}
          >
            <Facts
              facts={[
                { label: '状态', value: <StatusBadge state="offline" since={SAMPLE_NOW - 3_600_000} /> },
                { label: '原因', value: REASON.lost },
              ]}
            />
          </SidePanel>
        )}
      </Beside>
    </>
  )
}
