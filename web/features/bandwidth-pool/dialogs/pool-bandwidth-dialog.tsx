import { useMemo } from 'react'
import * as z from 'zod'
import { toMessage } from '../../../../worker/contract/errors.ts'
import { bandwidthField } from '../../../../worker/contract/saas.ts'
import { checkPoolBandwidth } from '../../../../worker/domain/saas/bandwidth.ts'
import { BandwidthField } from '../../../ui/bandwidth-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { type PoolDevice, useSetPoolBandwidth } from '../api.ts'

/** Of one device of the pool. */
export function PoolBandwidthDialog({
  device,
  onClose,
}: {
  readonly device: PoolDevice
  readonly onClose: () => void
}) {
  const { router_name, bandwidth, max_bandwidth: max } = device
  const save = useSetPoolBandwidth()
  const schema = useMemo(() => toSchema(device), [device])
  return (
    <SimpleFormDialog
      title="修改带宽"
      schema={schema}
      values={{ bandwidth }}
      draft={{ key: `pool bandwidth ${router_name}`, fields: ['bandwidth'] }}
      command={(values) => save.trigger({ router_name, ...values })}
      onClose={onClose}
      fields={({ control }) => <BandwidthField control={control} max={max} />}
    />
  )
}

const toSchema = ({ expire_date, max_bandwidth }: PoolDevice) =>
  z.object({
    bandwidth: bandwidthField.superRefine((value, issues) => {
      const device = { share: 1, expireAt: expire_date, maxBandwidth: max_bandwidth, poolMax: null } as const
      const found = checkPoolBandwidth(device, value, Date.now())
      if (found) issues.addIssue({ code: 'custom', message: toMessage(found) })
    }),
  })
