import TextArea from '@douyinfe/semi-ui/lib/es/input/textarea'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { countText } from '#lib/format/format-unit.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toErrorView } from '#ui/state/error-view.ts'
import { Notice } from '#ui/state/notice.tsx'
import { readChoices } from '#pages/network/api.ts'
import styles from './member-picker.module.css'
import type { MemberOption } from './member-plan.ts'
import { matchNames, PASTED_MAX, splitNames } from './pasted-names.ts'
import { toOptions } from './use-picker-members.ts'

/* Dialog that chooses many members by serial number or account. */

interface PasteDialogProps {
  /** Text that was pasted before the dialog opened. */
  readonly start: string
  /** Chooses the members; null if it refused and has said so. */
  readonly onAdd: (members: readonly MemberOption[]) => PasteResult | null
  readonly onClose: () => void
}

/** Numbers of chosen members, of those that were chosen before, and of those in too many networks. */
export interface PasteResult {
  readonly added: number
  readonly present: number
  readonly full: number
}

interface Outcome extends PasteResult {
  readonly unknown: readonly string[]
}

export function PasteDialog({ start, onAdd, onClose }: PasteDialogProps) {
  const [text, setText] = useState(start)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const names = splitNames(text)
  const isTooMany = names.length > PASTED_MAX

  const add = async () => {
    setBusy(true)
    setFailure('')
    setOutcome(null)
    try {
      const { members, unknown } = matchNames(names, toOptions(await readChoices(names)))
      const result = members.length === 0 ? { added: 0, present: 0, full: 0 } : onAdd(members)
      if (result === null) return
      if (unknown.length === 0 && result.full === 0) return onClose()
      setOutcome({ ...result, unknown })
      setText(unknown.join('\n'))
    } catch (error) {
      setFailure(toErrorView(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="粘贴序列号或账号"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{outcome === null ? '取消' : '完成'}</Button>
          <Button
            theme="solid"
            type="primary"
            loading={isBusy}
            disabled={names.length === 0 || isTooMany}
            onClick={() => void add()}
          >
            {names.length === 0 ? '选择成员' : `选择 ${countText(names.length)} 个成员`}
          </Button>
        </>
      }
    >
      <div className={styles.paste}>
        <TextArea
          aria-label="序列号或账号"
          placeholder="每行一个，或用空格、逗号分隔；账号可不写后缀"
          value={text}
          rows={8}
          autosize={{ minRows: 8, maxRows: 14 }}
          onChange={setText}
        />
        {isTooMany && (
          <Notice tone="warn" role="alert">
            一次最多粘贴 {countText(PASTED_MAX)} 个，现有 {countText(names.length)} 个，请分次粘贴。
          </Notice>
        )}
        {failure !== '' && (
          <Notice tone="bad" role="alert">
            {failure}
          </Notice>
        )}
        {outcome !== null && <OutcomeNotice {...outcome} />}
      </div>
    </Dialog>
  )
}

function OutcomeNotice({ added, present, full, unknown }: Outcome) {
  const parts = [
    `已选择 ${countText(added)} 个成员`,
    present > 0 && `${countText(present)} 个之前已选`,
    full > 0 && `${countText(full)} 个加入的组网已达上限`,
    unknown.length > 0 && `${countText(unknown.length)} 个未找到，请核对`,
  ]
  return (
    <Notice tone="warn" role="status">
      {parts.filter(Boolean).join('，')}
      {unknown.length > 0 && `：${unknown.join('、')}`}。
    </Notice>
  )
}
