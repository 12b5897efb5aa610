import IconChevronDown from '@douyinfe/semi-icons/lib/es/icons/IconChevronDown'
import IconChevronUp from '@douyinfe/semi-icons/lib/es/icons/IconChevronUp'
import IconDownload from '@douyinfe/semi-icons/lib/es/icons/IconDownload'
import IconExpand from '@douyinfe/semi-icons/lib/es/icons/IconExpand'
import IconMaximize from '@douyinfe/semi-icons/lib/es/icons/IconMaximize'
import IconMinus from '@douyinfe/semi-icons/lib/es/icons/IconMinus'
import IconPlus from '@douyinfe/semi-icons/lib/es/icons/IconPlus'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import type { Canvas } from './canvas/canvas.ts'
import { SCALE } from './layout/grid.ts'
import styles from './topology.module.css'
import type { Find } from './use-topology-model.ts'

/* Toolbar of the topology drawing: zoom, fit, full screen and export; counter of the matches of a search. */

interface ToolbarProps {
  readonly canvas: { readonly current: Canvas | null }
  readonly scale: number
  readonly full: ReturnType<typeof useFullScreen>
  readonly onExport: () => void
}

export function Toolbar({ canvas, scale, full, onExport }: ToolbarProps) {
  return (
    <span className={styles.tools} role="toolbar" aria-label="拓扑图工具">
      <Tool
        label="缩小"
        icon={<IconMinus />}
        isDisabled={scale <= SCALE.min}
        onClick={() => canvas.current?.zoom(1 / SCALE.step)}
      />
      <output className={styles.scale} aria-label="缩放比例">
        {Math.round(scale * 100)}%
      </output>
      <Tool
        label="放大"
        icon={<IconPlus />}
        isDisabled={scale >= SCALE.max}
        onClick={() => canvas.current?.zoom(SCALE.step)}
      />
      <Tool label="适应窗口" icon={<IconExpand />} onClick={() => canvas.current?.fit()} />
      <Tool label={full.isOn ? '退出全屏' : '全屏'} icon={<IconMaximize />} onClick={full.toggle} />
      <Tool label="导出 PNG" icon={<IconDownload />} onClick={onExport} />
    </span>
  )
}

interface ToolProps {
  readonly label: string
  readonly icon: ReactNode
  readonly isDisabled?: boolean
  readonly onClick: () => unknown
}

function Tool({ label, icon, isDisabled = false, onClick }: ToolProps) {
  return (
    <Button
      theme="borderless"
      type="tertiary"
      size="small"
      icon={icon}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    />
  )
}

/** Current match and number of matches (3/38); before the first step only the number. */
export function FindCounter({ find: { found, hit, step } }: { readonly find: Find }) {
  const at = hit === null ? 0 : found.indexOf(hit) + 1
  return (
    <span className={styles.tools}>
      <span role="status" className={styles.count}>
        {found.length === 0 ? '未找到' : at === 0 ? `找到 ${found.length}` : `${at}/${found.length}`}
      </span>
      {found.length > 0 && (
        <>
          <Tool label="上一个匹配" icon={<IconChevronUp />} onClick={() => step(-1)} />
          <Tool label="下一个匹配" icon={<IconChevronDown />} onClick={() => step(1)} />
        </>
      )}
    </span>
  )
}

/**
 * Shows one part of the page in the whole window. The document goes full screen, not the part, so that drawers and
 * confirmations, which are children of the body, stay visible.
 */
export function useFullScreen() {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    const onChange = () => {
      if (document.fullscreenElement === null) setOn(false)
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [])
  return {
    isOn,
    toggle: () => {
      setOn(!isOn)
      // Some phones refuse full screen; the part then still fills the window.
      if (isOn) void document.exitFullscreen?.().catch(() => {})
      else void document.documentElement.requestFullscreen?.().catch(() => {})
    },
  }
}
