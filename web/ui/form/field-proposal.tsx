import Button from '@douyinfe/semi-ui/lib/es/button'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import { Notice } from '#ui/state/notice.tsx'
import type { ContractForm } from './use-contract-form.ts'

/** Offers the next free port or segment after a refusal of a taken one; one click fills it in. */
export function FieldProposal<V extends FieldValues, T>({ form }: { readonly form: ContractForm<V, T> }) {
  const { proposal } = form
  if (proposal === null) return null
  const { field, free } = proposal
  const take = () => {
    const value = typeof free === 'number' ? free : free.split('/')[0] // the mask stays: the size is the same
    form.setValue(field as FieldPath<V>, value as FieldPathValue<V, FieldPath<V>>, { shouldDirty: true })
    form.clearErrors(field as FieldPath<V>)
    form.clearProposal()
  }
  return (
    <Notice
      role="status"
      actions={
        <Button theme="borderless" onClick={take}>
          改用 {free}
        </Button>
      }
    >
      下一个可用的{typeof free === 'number' ? '端口' : '网段'}：{free}
    </Notice>
  )
}
