import Button from '@douyinfe/semi-ui/lib/es/button'
import { useController } from 'react-hook-form'
import * as z from 'zod'
import { toMessage } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { bandwidthField } from '#contract/saas/index.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

/* Dialog that sets the bandwidth of a device of a SaaS service or a bandwidth pool. */

interface BandwidthDialogProps {
  /** Bandwidths in Mbs. */
  readonly device: {
    readonly router_name: string
    readonly note: string
    readonly bandwidth: number
    readonly max_bandwidth: number
    readonly current_bandwidth: number
  }
  readonly draftKey: string
  readonly check: (bandwidth: number) => Violation | null
  readonly save: (input: { readonly router_name: string; readonly bandwidth: number }) => Promise<unknown>
  readonly onClose: () => void
}

/** Any whole number of Mbs, with some offered ones (directory 5). */
export function BandwidthDialog({ device, draftKey, check, save, onClose }: BandwidthDialogProps) {
  const { router_name, bandwidth, max_bandwidth: max, current_bandwidth: current } = device
  const temporary = current === bandwidth ? '' : `；临时带宽 ${current} Mbs 生效中，结束后按这里的带宽`
  const form = useContractForm(
    toSchema(check),
    { bandwidth },
    { draft: { key: `${draftKey} ${router_name}`, fields: ['bandwidth'] } },
  )
  const { field } = useController({ control: form.control, name: 'bandwidth' })
  return (
    <FormDialog
      title={`修改带宽 · ${memberLabel(device)}`}
      form={form}
      command={(values) => save({ router_name, ...values })}
      onClose={onClose}
    >
      <NumberField
        control={form.control}
        name="bandwidth"
        label="带宽"
        required
        suffix="Mbs"
        help={`1 至 ${max} Mbs${temporary}`}
      />
      <div className="nl-flow" style={{ marginBottom: 16 }} role="group" aria-label="常用带宽">
        {SAAS.bandwidthOffered.map((mbps) => (
          <Button key={mbps} size="small" disabled={mbps > max} onClick={() => field.onChange(mbps)}>
            {mbps} Mbps
          </Button>
        ))}
      </div>
    </FormDialog>
  )
}

const toSchema = (check: BandwidthDialogProps['check']) =>
  z.object({
    bandwidth: bandwidthField.superRefine((value, issues) => {
      const found = check(value)
      if (found) issues.addIssue({ code: 'custom', message: toMessage(found) })
    }),
  })
