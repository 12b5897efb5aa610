import { useMemo } from 'react'
import * as z from 'zod'
import { toMessage } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { bandwidthField } from '#contract/saas/index.ts'
import { BandwidthField } from './bandwidth-field.tsx'
import { SimpleFormDialog } from './simple-form-dialog.tsx'

interface BandwidthDialogProps {
  /** Bandwidths in Mbs. */
  readonly device: { readonly router_name: string; readonly bandwidth: number; readonly max_bandwidth: number }
  readonly draftKey: string
  readonly check: (bandwidth: number) => Violation | null
  readonly save: (input: { readonly router_name: string; readonly bandwidth: number }) => Promise<unknown>
  readonly onClose: () => void
}

export function BandwidthDialog({ device, draftKey, check, save, onClose }: BandwidthDialogProps) {
  const { router_name, bandwidth, max_bandwidth } = device
  const schema = useMemo(() => toSchema(check), [check])
  return (
    <SimpleFormDialog
      title="修改带宽"
      schema={schema}
      values={{ bandwidth }}
      draft={{ key: `${draftKey} ${router_name}`, fields: ['bandwidth'] }}
      command={(values) => save({ router_name, ...values })}
      onClose={onClose}
      fields={({ control }) => <BandwidthField control={control} max={max_bandwidth} />}
    />
  )
}

const toSchema = (check: BandwidthDialogProps['check']) =>
  z.object({
    bandwidth: bandwidthField.superRefine((value, issues) => {
      const found = check(value)
      if (found) issues.addIssue({ code: 'custom', message: toMessage(found) })
    }),
  })
