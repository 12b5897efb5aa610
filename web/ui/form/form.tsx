import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { toast } from '#lib/toast/toast.ts'
import { networkError } from '#lib/call/transport.ts'
import type { ErrorView } from '#ui/state/error-view.ts'
import { Notice } from '#ui/state/notice.tsx'
import { UpgradeButtons } from '#ui/layout/buttons/upgrade-buttons.tsx'
import './field.css'
import type { ContractForm } from './use-contract-form.ts'

/* Form of a page, its failure notice and its buttons. */

interface FormProps<V extends FieldValues, T> {
  readonly form: ContractForm<V, T>
  readonly onSubmit: (values: T) => unknown
  readonly children: ReactNode
}

/** Its last child is usually FormActions. */
export function Form<V extends FieldValues, T>({ form, onSubmit, children }: FormProps<V, T>) {
  return (
    <form className="nl-form" noValidate onSubmit={form.submit(onSubmit)}>
      {form.isRestored && <RestoredNotice />}
      {children}
      <FormFailure failure={form.failure} />
    </form>
  )
}

/** Notice above a form with restored input after an expired session. */
export function RestoredNotice() {
  return <Notice role="status">登录过期前未保存的内容已恢复，请核对后保存</Notice>
}

interface FormFailureProps {
  readonly failure: ErrorView | null
  /** Merges the later save of somebody else; resolves to true if it could be read. */
  readonly onMerge?: (() => Promise<boolean>) | undefined
}

/** Refusal that names no field of the form; shown until the next submit. For a quota it offers the upgrade. */
export function FormFailure({ failure, onMerge }: FormFailureProps) {
  const [closed, setClosed] = useState<ErrorView | null>(null)
  if (failure === null || failure === closed) return null
  return (
    <p role="alert" className="nl-failure">
      {failure.message}
      {failure.requestId !== undefined && <small>请求编号 {failure.requestId}</small>}
      {failure.isQuota && (
        <span className="nl-failure-actions">
          <UpgradeButtons onClose={() => setClosed(failure)} />
        </span>
      )}
      {failure.isOutdated && onMerge !== undefined && <MergeButton onMerge={onMerge} />}
    </p>
  )
}

function MergeButton({ onMerge }: { readonly onMerge: () => Promise<boolean> }) {
  const [isReading, setReading] = useState(false)
  const merge = async () => {
    setReading(true)
    if (await onMerge().catch(() => false)) return // this button has gone with the failure
    setReading(false)
    toast.error(networkError().msg)
  }
  return (
    <span className="nl-failure-actions">
      <Button loading={isReading} onClick={() => void merge()}>
        合并最新配置后继续
      </Button>
    </span>
  )
}

interface FormActionsProps {
  readonly submitText: string
  readonly busy: boolean
  readonly onCancel?: () => void
  /** The button fills its row, as in a sign-in form. */
  readonly block?: boolean
  /** Stays at the bottom of the window while a long form scrolls. */
  readonly isSticky?: boolean
}

export function FormActions({ submitText, busy, onCancel, block = false, isSticky = false }: FormActionsProps) {
  return (
    <div className={`nl-flow nl-form-actions ${isSticky ? 'nl-form-sticky' : ''}`}>
      <Button htmlType="submit" theme="solid" type="primary" loading={busy} block={block}>
        {submitText}
      </Button>
      {onCancel !== undefined && (
        <Button onClick={onCancel} disabled={busy}>
          取消
        </Button>
      )}
    </div>
  )
}
