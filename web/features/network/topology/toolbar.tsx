import IconDownload from '@douyinfe/semi-icons/lib/es/icons/IconDownload'
import IconExpand from '@douyinfe/semi-icons/lib/es/icons/IconExpand'
import IconMaximize from '@douyinfe/semi-icons/lib/es/icons/IconMaximize'
import IconMinus from '@douyinfe/semi-icons/lib/es/icons/IconMinus'
import IconPlus from '@douyinfe/semi-icons/lib/es/icons/IconPlus'
import IconSearch from '@douyinfe/semi-icons/lib/es/icons/IconSearch'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { type ReactNode, useState } from 'react'
import { toast } from '../../../lib/toast.ts'
import type { Canvas } from './canvas.ts'
import type { Topology } from './layout.ts'
import { createSvg, savePng } from './export-png.ts'
import styles from './toolbar.module.css'
import type { FullScreen } from './use-full-screen.ts'

const ZOOM = 1.25

/** Focuses the `turn`-th matching member; returns its position and the number of matches. */
export type ToolbarFind = (search: string, turn: number) => { readonly at: number; readonly of: number }

interface ToolbarProps {
  readonly canvas: { readonly current: Canvas | null }
  readonly topology: Topology
  readonly networkName: string
  readonly isFiltered: boolean
  readonly onFilter: (isFiltered: boolean) => void
  readonly onFind: ToolbarFind
  readonly full: FullScreen
}

export function Toolbar({ canvas, topology, networkName, isFiltered, onFilter, onFind, full }: ToolbarProps) {
  const save = async () => {
    const svg = canvas.current?.withAllCells((stage) => createSvg(stage, topology, stage))
    if (svg === undefined) return
    try {
      await savePng(svg, topology, `${networkName}-拓扑图.png`)
    } catch {
      toast.error('导出失败，请缩小拓扑图范围后重试')
    }
  }
  return (
    <div className={styles.bar}>
      <FindBox onFind={onFind} />
      <label className={styles.check}>
        <input type="checkbox" checked={isFiltered} onChange={(event) => onFilter(event.target.checked)} />
        只看异常
      </label>
      <span className={styles.tools} role="toolbar" aria-label="拓扑图工具">
        <Tool label="放大" icon={<IconPlus />} onClick={() => canvas.current?.zoom(ZOOM)} />
        <Tool label="缩小" icon={<IconMinus />} onClick={() => canvas.current?.zoom(1 / ZOOM)} />
        <Tool label="适应窗口" icon={<IconExpand />} onClick={() => canvas.current?.fit()} />
        <Tool label={full.isOn ? '退出全屏' : '全屏'} icon={<IconMaximize />} onClick={full.toggle} />
        <Tool label="导出 PNG" icon={<IconDownload />} onClick={save} />
      </span>
    </div>
  )
}

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => unknown }) {
  return <Button theme="borderless" type="tertiary" icon={icon} aria-label={label} title={label} onClick={onClick} />
}

/** Enter selects the first match, then the next. */
function FindBox({ onFind }: Pick<ToolbarProps, 'onFind'>) {
  const [text, setText] = useState('')
  const [turn, setTurn] = useState(0)
  const [announcement, setAnnouncement] = useState('')
  return (
    <>
      <Input
        className={styles.search ?? ''}
        prefix={<IconSearch />}
        aria-label="在拓扑图中查找成员"
        placeholder="查找成员，回车定位"
        inputMode="search"
        enterKeyHint="search"
        value={text}
        showClear
        onChange={(next) => {
          setText(next)
          setTurn(0)
          setAnnouncement('')
        }}
        onEnterPress={() => {
          const { at, of } = onFind(text, turn)
          setAnnouncement(text.trim() === '' ? '' : of === 0 ? '未找到' : `${at}/${of}`)
          setTurn(turn + 1)
        }}
      />
      <span role="status" className="nl-muted">
        {announcement}
      </span>
    </>
  )
}
