import IconCopy from '@douyinfe/semi-icons/lib/es/icons/IconCopy'
import IconTick from '@douyinfe/semi-icons/lib/es/icons/IconTick'
import { useEffect, useState } from 'react'
import { COPIED, COPY_FAILED, copyText } from '#lib/clipboard.ts'

/* Text with a button that copies it. */

const SHOWN_MS = 2_000

export function CopyText({ text, label = '复制' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => setState((await copyText(text)) ? 'done' : 'failed')

  return (
    <span className={`nl-copy nl-copy-${state}`}>
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`${label} ${text}`} title={label}>
        {state === 'done' ? <IconTick size="small" /> : <IconCopy size="small" />}
      </button>
      <span role="status" className={state === 'failed' ? 'nl-muted' : 'nl-sr'}>
        {state === 'done' && COPIED}
        {state === 'failed' && COPY_FAILED}
      </span>
    </span>
  )
}
