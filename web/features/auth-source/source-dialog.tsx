import { useState } from 'react'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { authSourceForm, authSourceKeptForm } from '#contract/auth-source/index.ts'
import { ApiError } from '#lib/call/call.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { type SourceSetup, type SourceRow, useCreateSource, useEditSource } from './api.ts'
import { SourceFields } from './source-fields.tsx'
import { KEPT_FIELDS, type SourceSent, toValues } from './source-form.ts'

const DomainDialog = lazyDialog(() => import('#ui/dialog/domain-dialog.tsx').then((m) => ({ default: m.DomainDialog })))
const UNPROVED: ErrorKey = 'AUTH_DOMAIN_UNPROVED'

interface SourceDialogProps {
  /** Source to edit; null adds one. */
  readonly source: SourceRow | null
  readonly config: SourceSetup['config'] | undefined
  readonly onClose: () => void
}

/** One auth source; saving asks the vendor, whose refusal lands on the field. */
export function SourceDialog({ source, config, onClose }: SourceDialogProps) {
  const [create, edit] = [useCreateSource(), useEditSource()]
  const [proof, setProof] = useState<{ readonly domain: string; readonly fileName: string } | null>(null)
  const save = async (values: SourceSent) => {
    try {
      await (source === null ? create.trigger(values) : edit.trigger({ ...values, id: source.id }))
    } catch (error) {
      if (error instanceof ApiError && error.reason === UNPROVED)
        setProof({ domain: values.auth_domain, fileName: String(error.extra?.['file_name'] ?? '') })
      throw error
    }
  }
  const form = useContractForm(source === null ? authSourceForm : authSourceKeptForm, toValues(source), {
    draft: { key: `auth source ${source?.id ?? ''}`, fields: KEPT_FIELDS },
    lockMs: AUTH_SOURCE.formLockMs,
  })
  return (
    <>
      <FormDialog
        title={source === null ? '添加认证源' : '编辑认证源'}
        form={form}
        submitText={source === null ? '添加' : '保存'}
        command={save}
        onClose={onClose}
      >
        <SourceFields form={form} isStored={source !== null} config={config} />
      </FormDialog>
      {proof !== null && (
        <DomainDialog
          {...proof}
          why="自有回调域名须属于您的企业。"
          onVerified={() => setProof(null)}
          onClose={() => setProof(null)}
        />
      )}
    </>
  )
}
