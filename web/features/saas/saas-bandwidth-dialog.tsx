import { checkBandwidth } from '#domain/saas/bandwidth.ts'
import { BandwidthDialog } from '#ui/dialog/bandwidth-dialog.tsx'
import { useSetBandwidth } from './api.ts'
import type { SaasRow } from './saas-text.ts'

/** Dialog that sets the bandwidth of a SaaS device. */
export function SaasBandwidthDialog({ device, onClose }: { readonly device: SaasRow; readonly onClose: () => void }) {
  const { share, expire_date: expireAt, max_bandwidth: maxBandwidth } = device
  const { trigger } = useSetBandwidth()
  const check = (value: number) => checkBandwidth({ share, expireAt, maxBandwidth, poolMax: null }, value, Date.now())
  return <BandwidthDialog draftKey="saas bandwidth" save={trigger} {...{ device, check, onClose }} />
}
