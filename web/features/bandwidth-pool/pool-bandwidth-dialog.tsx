import { checkPoolBandwidth } from '#domain/saas/bandwidth.ts'
import { BandwidthDialog } from '#ui/dialog/bandwidth-dialog.tsx'
import { type PoolDevice, useSetPoolBandwidth } from './api.ts'

/** Dialog that sets the bandwidth of a device in a bandwidth pool. */
export function PoolBandwidthDialog({ device, onClose }: { device: PoolDevice; onClose: () => void }) {
  const { expire_date: expireAt, max_bandwidth: maxBandwidth } = device
  const { trigger } = useSetPoolBandwidth()
  const check = (value: number) =>
    checkPoolBandwidth({ share: 1, expireAt, maxBandwidth, poolMax: null }, value, Date.now())
  return <BandwidthDialog draftKey="pool bandwidth" save={trigger} {...{ device, check, onClose }} />
}
