import { accountOps } from './endpoints/account.ts'
import { announcementOps } from './endpoints/announcement.ts'
import { authorityOps } from './endpoints/authority.ts'
import { contactOps } from './endpoints/contact.ts'
import { deviceOps } from './endpoints/device.ts'
import { handbookOps } from './endpoints/handbook.ts'
import { hubOps } from './endpoints/hubs.ts'
import { loginOps } from './endpoints/login.ts'
import { memberOps } from './endpoints/member.ts'
import { messageOps } from './endpoints/message.ts'
import { networkFrOps } from './endpoints/network-fr.ts'
import { networkTicketOps } from './endpoints/network-ticket.ts'
import { poolOps } from './endpoints/pool.ts'
import { popOps } from './endpoints/pop.ts'
import { providerOps } from './endpoints/provider.ts'
import { ramOps } from './endpoints/ram.ts'
import { releaseOps } from './endpoints/release.ts'
import { routerOps } from './endpoints/router.ts'
import { saasOps } from './endpoints/saas.ts'
import { selfTestOps } from './endpoints/self-test.ts'
import { serviceOps } from './endpoints/service.ts'
import { smsOps } from './endpoints/sms.ts'
import { statusOps } from './endpoints/status.ts'
import { ticketOps } from './endpoints/ticket.ts'

/* Endpoints of the operator, collected. */

/** Calls at /ops/v1, with a separate token. The key of each is its command of `npm run ops`. */
export const opsApi = {
  createAccount: accountOps.createAccount,
  setAccountStatus: accountOps.setAccountStatus,
  setAccountFlags: accountOps.setAccountFlags,
  setAccountHost: accountOps.setAccountHost,
  resetTotp: accountOps.resetTotp,
  setDnsQuantity: accountOps.setDnsQuantity,
  accountExport: accountOps.accountExport,
  accountExportRows: accountOps.accountExportRows,
  accountExportSeries: accountOps.accountExportSeries,
  accountExportFile: accountOps.accountExportFile,
  accountErase: accountOps.accountErase,
  accountErasures: accountOps.accountErasures,
  setService: serviceOps.setService,
  createRam: ramOps.createRam,
  editRole: ramOps.editRole,
  provisionDevice: deviceOps.provisionDevice,
  resetDevice: deviceOps.resetDevice,
  rehome: routerOps.rehome,
  disableMember: memberOps.disableMember,
  enableMember: memberOps.enableMember,
  reissueAuthority: authorityOps.reissueAuthority,
  refreshHubs: hubOps.refreshHubs,
  holdOn: hubOps.holdOn,
  holdOff: hubOps.holdOff,
  holdStatus: hubOps.holdStatus,
  forgetHubs: hubOps.forgetHubs,
  selfTest: selfTestOps.selfTest,
  status: statusOps.status,
  tokenLink: loginOps.tokenLink,
  publishAnnouncement: announcementOps.publishAnnouncement,
  listAnnouncements: announcementOps.listAnnouncements,
  editAnnouncement: announcementOps.editAnnouncement,
  withdrawAnnouncement: announcementOps.withdrawAnnouncement,
  uploadAnnouncementImage: announcementOps.uploadAnnouncementImage,
  handbookStatus: handbookOps.handbookStatus,
  uploadHandbookImage: handbookOps.uploadHandbookImage,
  importHandbook: handbookOps.importHandbook,
  sendMessage: messageOps.sendMessage,
  setContactExpiry: contactOps.setContactExpiry,
  createPop: popOps.createPop,
  editPop: popOps.editPop,
  disablePop: popOps.disablePop,
  popNode: popOps.popNode,
  popNodes: popOps.popNodes,
  listNetworkTickets: networkTicketOps.listNetworkTickets,
  startNetworkTicket: networkTicketOps.startNetworkTicket,
  completeNetworkTicket: networkTicketOps.completeNetworkTicket,
  cancelNetworkTicket: networkTicketOps.cancelNetworkTicket,
  listNetworkFrs: networkFrOps.listNetworkFrs,
  renewNetworkFr: networkFrOps.renewNetworkFr,
  networkFrBandwidth: networkFrOps.networkFrBandwidth,
  withdrawNetworkFr: networkFrOps.withdrawNetworkFr,
  listTickets: ticketOps.listTickets,
  showTicket: ticketOps.showTicket,
  replyTicket: ticketOps.replyTicket,
  ticketStatus: ticketOps.ticketStatus,
  providerStatus: providerOps.providerStatus,
  smsCountries: smsOps.smsCountries,
  smsCountry: smsOps.smsCountry,
  publishRelease: releaseOps.publishRelease,
  listReleases: releaseOps.listReleases,
  withdrawRelease: releaseOps.withdrawRelease,
  saasSet: saasOps.saasSet,
  saasTemporary: saasOps.saasTemporary,
  poolSet: poolOps.poolSet,
} as const
