import { dateText } from '#contract/kernel/time.ts'
import { daysUntil } from '#domain/network-fr/resource.ts'

/* Trouble with the certificate of a device, in the words of its row and of its site message. */

export interface CertificateTrouble {
  readonly routerName: string
  /** Note, or name. */
  readonly label: string
  /** Refusal of its newest request; null: none. */
  readonly refusal: { readonly reason: string; readonly at: number } | null
  /** End of its newest certificate; null: it has none. */
  readonly endsAt: number | null
}

export function certificateCause({ refusal, endsAt }: CertificateTrouble, now: number): string {
  if (refusal !== null) return `证书申请无效：${refusal.reason}`
  if (endsAt === null) return ''
  return endsAt <= now ? `证书已于 ${dateText(endsAt)} 到期` : `证书还有 ${daysUntil(endsAt, now)} 天到期`
}

/** Site message: at most one a day for refusals of a device, and one for each of its certificates. */
export function certificateMessage({ label, refusal, endsAt }: CertificateTrouble) {
  const device = `设备“${label}”的证书`
  return refusal === null
    ? {
        title: `${device}即将到期`,
        content: `${device}将于 ${dateText(endsAt ?? 0)} 到期，之后它的隧道不能建立。请让设备连上控制台，证书会自动更新。`,
      }
    : {
        title: `${device}申请无效`,
        content: `${device}申请无效（${refusal.reason}），它的隧道不能建立。请升级设备的固件并重启，仍无效时联系服务商重置该设备。`,
      }
}
