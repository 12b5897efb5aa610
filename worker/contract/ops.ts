import { accountOps } from './ops/account.ts'
import { announcementOps } from './ops/announcement.ts'
import { contactOps } from './ops/contact.ts'
import { deviceOps } from './ops/device.ts'
import { handbookOps } from './ops/handbook.ts'
import { hubOps } from './ops/hubs.ts'
import { loginOps } from './ops/login.ts'
import { memberOps } from './ops/member.ts'
import { messageOps } from './ops/message.ts'
import { networkTicketOps } from './ops/network-ticket.ts'
import { poolOps } from './ops/pool.ts'
import { popOps } from './ops/pop.ts'
import { providerOps } from './ops/provider.ts'
import { ramOps } from './ops/ram.ts'
import { releaseOps } from './ops/release.ts'
import { saasOps } from './ops/saas.ts'
import { serviceOps } from './ops/service.ts'
import { smsOps } from './ops/sms.ts'
import { ticketOps } from './ops/ticket.ts'

/** Operator calls, mounted at /ops/v1 under the operator's own token. One file a noun in `ops/`. */
export const opsApi = {
  ...accountOps,
  ...serviceOps,
  ...ramOps,
  ...deviceOps,
  ...memberOps,
  ...hubOps,
  ...loginOps,
  ...announcementOps,
  ...handbookOps,
  ...messageOps,
  ...contactOps,
  ...popOps,
  ...networkTicketOps,
  ...ticketOps,
  ...providerOps,
  ...smsOps,
  ...releaseOps,
  ...saasOps,
  ...poolOps,
} as const
