import { accountOps } from './account.ts'
import { announcementOps } from './announcement.ts'
import { contactOps } from './contact.ts'
import { deviceOps } from './device.ts'
import { handbookOps } from './handbook.ts'
import { hubOps } from './hubs.ts'
import { loginOps } from './login.ts'
import { memberOps } from './member.ts'
import { messageOps } from './message.ts'
import { networkTicketOps } from './network-ticket.ts'
import { poolOps } from './pool.ts'
import { popOps } from './pop.ts'
import { providerOps } from './provider.ts'
import { ramOps } from './ram.ts'
import { releaseOps } from './release.ts'
import { saasOps } from './saas.ts'
import { serviceOps } from './service.ts'
import { smsOps } from './sms.ts'
import { ticketOps } from './ticket.ts'

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
