import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ErrorView } from '../error-view.ts'
import { UpgradeButtons } from '../upgrade-buttons.tsx'
import './field.css'
import type { ContractForm } from './use-contract-form.ts'

interface FormProps<V extends FieldValues, T> {
  readonly form: ContractForm<V, T>
  readonly onSubmit: (values: T) => unknown
  readonly children: ReactNode
}

/** A form on a page. Its last child is usually FormActions. */
export function Form<V extends FieldValues, T>({ form, onSubmit, children }: FormProps<V, T>) {
  return (
    <form className="nl-form" noValidate onSubmit={form.submit(onSubmit)}>
      {children}
      <FormFailure failure={form.failure} />
    </form>
  )
}

/** A refusal that names no field of the form; shown until the next submit. Where a quota refuses, it offers the upgrade. */
export function FormFailure({ failure }: { readonly failure: ErrorView | null }) {
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
    </p>
  )
}

interface FormActionsProps {
  readonly submitText: string
  readonly busy: boolean
  readonly onCancel?: () => void
  /** The button alone in its row, as wide as the form: sign-in and the like. */
  readonly block?: boolean
}

export function FormActions({ submitText, busy, onCancel, block = false }: FormActionsProps) {
  return (
    // Keeps the focus in the field: blur would show its error line and move the button during the click.
    <div className="nl-form-actions" onMouseDown={(event) => event.preventDefault()}>
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
