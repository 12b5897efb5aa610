import Button from '@douyinfe/semi-ui/lib/es/button'
import type { FormEvent, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { confirmDiscard } from './confirm.tsx'
import { FormFailure, RestoredNotice } from '#ui/form/form.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { Overlay } from './overlay.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

/* Dialog with a form that runs one command. */

interface FormDialogProps<V extends FieldValues, T extends FieldValues> {
  readonly title: ReactNode
  /** `useContractForm(schema, values, { draft, reload })`. */
  readonly form: ContractForm<V, T>
  /**
   * Sends the parsed values. After a refusal the dialog stays open with the reason; after `false` it stays for a next step.
   */
  readonly command: (values: T) => Promise<unknown>
  /** The command also runs with unchanged values, because they are a proposal or an answer. */
  readonly sendsUnchanged?: boolean
  /** After the command, before the dialog closes. */
  readonly onSaved?: () => void
  readonly onClose: () => void
  readonly submitText?: string
  readonly danger?: boolean
  readonly widthPx?: number
  /** Effect of saving, beside the buttons; it stays in view while the content scrolls. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Open while mounted, so each opening starts fresh. A click beside it does nothing; Escape asks if dirty. */
export function FormDialog<V extends FieldValues, T extends FieldValues>(props: FormDialogProps<V, T>) {
  const { title, form, command, sendsUnchanged = false, onSaved, onClose, submitText = '保存', danger = false } = props
  const { isDirty } = form.formState
  useLeaveGuard(isDirty)
  const close = async () => {
    if (form.busy) return
    if (isDirty && !(await confirmDiscard())) return
    onClose()
  }
  const submit = async (values: T) => {
    if (sendsUnchanged || !form.isUnchanged(values)) {
      if ((await command(values)) === false) return
      onSaved?.()
    }
    onClose()
  }
  const onSubmit = (event: FormEvent) => {
    event.stopPropagation() // it would bubble through the portal to a form around the dialog
    void form.submit(submit)(event)
  }
  return (
    <Overlay kind="dialog" title={title} onClose={close} widthPx={props.widthPx ?? 480}>
      <form className="nl-panel-form" noValidate onSubmit={onSubmit}>
        <div className="nl-panel-body">
          <div className="nl-form">
            {form.isRestored && <RestoredNotice />}
            {form.isMerged && <Notice role="status">已合并最新配置，改过的内容已保留，请核对后保存</Notice>}
            {props.children}
            <FormFailure failure={form.failure} onMerge={form.mergeLatest} />
          </div>
        </div>
        <footer className="nl-flow nl-panel-foot">
          {props.foot !== undefined && <div className="nl-panel-foot-text">{props.foot}</div>}
          <Button onClick={close} disabled={form.busy}>
            取消
          </Button>
          <Button htmlType="submit" theme="solid" type={danger ? 'danger' : 'primary'} loading={form.busy}>
            {submitText}
          </Button>
        </footer>
      </form>
    </Overlay>
  )
}
