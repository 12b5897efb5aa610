import Button from '@douyinfe/semi-ui/lib/es/button'
import TextArea from '@douyinfe/semi-ui/lib/es/input/textarea'
import { useState } from 'react'
import type { PrefixRow } from '#contract/network/fields.ts'
import { parsePrefixText, toPrefixText } from '#domain/network/routing/prefix-text.ts'
import { COPY_FAILED, copyText } from '#lib/clipboard.ts'
import styles from './prefix-fields.module.css'

interface PrefixTextProps {
  /** Rows that are copied. */
  readonly rows: readonly PrefixRow[]
  readonly onAppend: (rows: readonly PrefixRow[]) => void
  readonly onReplace: (rows: readonly PrefixRow[]) => void
}

/** Copies the rows as text, one a line, and takes such a text; lines that name no prefix stay in the box. */
export function PrefixText({ rows, onAppend, onReplace }: PrefixTextProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [state, setState] = useState('')
  const copy = async () => setState((await copyText(toPrefixText(rows))) ? `已复制 ${rows.length} 条` : COPY_FAILED)
  const take = (onTake: PrefixTextProps['onAppend']) => {
    const parsed = parsePrefixText(text)
    if (parsed.rows.length > 0) onTake(parsed.rows)
    setText(parsed.wrong.map((line) => line.text).join('\n'))
    const lines = parsed.wrong.map(({ line }) => line).join('、')
    setState(`已读入 ${parsed.rows.length} 条${lines === '' ? '' : `，第 ${lines} 行无法识别，请修改后重试`}`)
  }
  return (
    <>
      <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        粘贴文本
      </Button>
      <Button onClick={() => void copy()} disabled={rows.length === 0}>
        复制为文本
      </Button>
      {isOpen && (
        <div className={styles.paste}>
          <TextArea
            aria-label="网络号文本，每行一条"
            placeholder={'10.0.0.0/8 # 总部\n172.16.0.0/12 deny ge 16 le 24'}
            value={text}
            onChange={setText}
            rows={5}
          />
          <span className={styles.tools}>
            <Button disabled={text.trim() === ''} onClick={() => take(onAppend)}>
              追加到列表
            </Button>
            <Button disabled={text.trim() === ''} onClick={() => take(onReplace)}>
              替换列表
            </Button>
          </span>
        </div>
      )}
      <span role="status" className="nl-help">
        {state}
      </span>
    </>
  )
}
