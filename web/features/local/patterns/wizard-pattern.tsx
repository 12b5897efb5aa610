import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#lib/paths.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Listbox } from '#ui/form/inputs/listbox.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import styles from '../kit.module.css'
import { LONG_MEMBERS, SAMPLE_MEMBERS } from '../samples/sample-data.ts'

const STEPS = ['选择成员', '确认', '完成']
const TITLE = '接入POP'
const HEIGHT_PX = 320

export const WIZARD_CONTENTS = [
  { value: '', label: '200 个成员' },
  { value: '1', label: '1 个' },
  { value: '0', label: '没有' },
  { value: 'long', label: '长文本' },
] as const

/** A wizard with a layout of its own: each step has an address, the sum of what was chosen stays in sight. */
export function WizardPattern() {
  const [query, setQuery] = useSearchParams()
  const step = Math.min(STEPS.length, Math.max(1, Math.trunc(Number(query.get('step'))) || 1)) - 1
  const rows = query.get('rows') ?? ''
  const members = rows === 'long' ? LONG_MEMBERS : SAMPLE_MEMBERS.slice(0, Number(rows === '' ? 200 : rows))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [state, setState] = useState<'' | 'online' | 'offline'>('')
  const go = (to: number) => setQuery({ pattern: 'wizard', rows, step: String(to + 1) })
  const shown = members.filter((member) => state === '' || member.state === state)
  const count = (wanted: string) => members.filter((member) => member.state === wanted).length
  return (
    <>
      <PageHeader title={TITLE} trail={[{ label: '组网列表', to: paths.networks() }]} />
      <div className={styles.wizard}>
        <Panel title={STEPS[step]}>
          <Wizard steps={STEPS} step={step} {...(step === 1 && { onBack: () => go(0) })}>
            {step === 0 && (
              <div className={styles.choice}>
                <CountChips
                  label="按状态筛选"
                  value={state}
                  total={members.length}
                  chips={[
                    { value: 'online', label: '在线', count: count('online') },
                    { value: 'offline', label: '离线', count: count('offline') },
                  ]}
                  onChange={setState}
                />
                <Listbox
                  label="可选成员"
                  options={shown}
                  optionKey={(member) => member.router_name}
                  toRow={(member) => ({
                    label: member.note,
                    second: member.router_name,
                    aside: <StatusBadge state={member.state} />,
                  })}
                  selected={selected}
                  onSelect={setSelected}
                  emptyText="没有符合条件的示例"
                  heightPx={HEIGHT_PX}
                />
              </div>
            )}
            {step === 2 ? (
              <WizardDone title="提交成功">
                <Button theme="solid" type="primary" onClick={() => go(0)}>
                  重新开始
                </Button>
              </WizardDone>
            ) : (
              <Button theme="solid" type="primary" disabled={selected.size === 0} onClick={() => go(step + 1)}>
                {step === 0 ? '下一步' : '提交'}
              </Button>
            )}
          </Wizard>
        </Panel>
        <Panel title="已选">
          <Facts
            facts={[
              { label: '成员', value: `${selected.size} 个` },
              { label: '有效期', value: '1 年' },
              { label: '带宽', value: '50 Mbps' },
            ]}
          />
        </Panel>
      </div>
    </>
  )
}
