import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import { confirmDiscard } from './confirm-discard.ts'
import { FormFailure } from '#ui/form/form.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { Overlay } from './overlay.tsx'
import { RestoredNotice } from '#ui/form/restored-notice.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

interface FormDialogProps<V extends FieldValues, T> {
  readonly title: ReactNode
  readonly form: ContractForm<V, T>
  /** Closes the dialog itself when it is done; what it throws keeps it open. */
  readonly onSubmit: (values: T) => unknown
  readonly onClose: () => void
  readonly submitText?: string
  readonly danger?: boolean
  readonly widthPx?: number
  /** Holds what was unsaved when the session ran out (useFormDraft). */
  readonly isRestored?: boolean
  /** Reads the values anew after somebody else has saved them (useFormStart); null where they could not be read. */
  readonly reload?: (() => Promise<DefaultValues<V> | null>) | undefined
  /** Beside the buttons, in sight while the content scrolls. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Open as long as it is mounted, so each opening starts fresh. A click beside it does nothing; Escape asks if dirty. */
export function FormDialog<V extends FieldValues, T>(props: FormDialogProps<V, T>) {
  const {
    title,
    form,
    onSubmit,
    onClose,
    submitText = '保存',
    danger = false,
    widthPx = 480,
    isRestored = false,
    reload,
    foot,
    children,
  } = props
  const { isDirty } = form.formState
  useLeaveGuard(isDirty)
  const close = async () => {
    if (form.busy) return
    if (isDirty && !(await confirmDiscard())) return
    onClose()
  }
  const mergeLatest =
    reload &&
    (async () => {
      const latest = await reload()
      if (latest !== null) form.merge(latest)
      return latest !== null
    })
  return (
    <Overlay kind="dialog" title={title} onClose={close} widthPx={widthPx}>
      <form className="nl-panel-form" noValidate onSubmit={form.submit(onSubmit)}>
        <div className="nl-panel-body">
          <div className="nl-form">
            {isRestored && <RestoredNotice />}
            {form.isMerged && <Notice role="status">已合并最新配置，改过的内容已保留，请核对后保存</Notice>}
            {children}
            <FormFailure failure={form.failure} onMerge={mergeLatest} />
          </div>
        </div>
        <footer className="nl-panel-foot">
          {foot !== undefined && <div className="nl-panel-foot-text">{foot}</div>}
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
