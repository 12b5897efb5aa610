import { useMemo } from 'react'
import * as z from 'zod'
import { toMessage } from '../../../../worker/contract/errors.ts'
import { bandwidthField } from '../../../../worker/contract/saas.ts'
import { checkBandwidth } from '../../../../worker/domain/saas/bandwidth.ts'
import { BandwidthField } from '../../../ui/bandwidth-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { useSetBandwidth } from '../api.ts'
import type { SaasRow } from '../saas-text.ts'

/** Of a device of the shared edition. */
export function BandwidthDialog({ device, onClose }: { readonly device: SaasRow; readonly onClose: () => void }) {
  const { router_name, bandwidth, max_bandwidth: max } = device
  const save = useSetBandwidth()
  const schema = useMemo(() => toSchema(device), [device])
  return (
    <SimpleFormDialog
      title="修改带宽"
      schema={schema}
      values={{ bandwidth }}
      draft={{ key: `saas bandwidth ${router_name}`, fields: ['bandwidth'] }}
      command={(values) => save.trigger({ router_name, ...values })}
      onClose={onClose}
      fields={({ control }) => <BandwidthField control={control} max={max} />}
    />
  )
}

const toSchema = ({ share, expire_date, max_bandwidth }: SaasRow) =>
  z.object({
    bandwidth: bandwidthField.superRefine((value, issues) => {
      const device = { share, expireAt: expire_date, maxBandwidth: max_bandwidth, poolMax: null }
      const found = checkBandwidth(device, value, Date.now())
      if (found) issues.addIssue({ code: 'custom', message: toMessage(found) })
    }),
  })
