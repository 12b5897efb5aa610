import IconCopy from '@douyinfe/semi-icons/lib/es/icons/IconCopy'
import IconTick from '@douyinfe/semi-icons/lib/es/icons/IconTick'
import { useEffect, useState } from 'react'
import './text.css'

const SHOWN_MS = 2_000

/** A value with a button that copies it to the clipboard. */
export function CopyText({ text, label = '复制' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('done')
    } catch {
      setState('failed') // no permission, or the page is not served over https
    }
  }

  return (
    <span className={`nl-copy nl-copy-${state}`}>
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`${label} ${text}`} title={label}>
        {state === 'done' ? <IconTick size="small" /> : <IconCopy size="small" />}
      </button>
      <span role="status" className={state === 'failed' ? 'nl-muted' : 'nl-sr'}>
        {state === 'done' && '复制成功'}
        {state === 'failed' && '复制失败，请手动选择'}
      </span>
    </span>
  )
}
