import { Hono } from 'hono'
import { opsApi } from '#contract/ops/index.ts'
import { SELF_TEST_SOCKET_PATH } from '#contract/ops/endpoints/self-test.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import {
  createAccount,
  createRam,
  createTokenLink,
  setAccountStatus,
  setService,
  setAccountFlags,
  setAccountHost,
  setDnsQuantity,
} from './accounts.ts'
import { setContactExpiry } from './contacts.ts'
import { eraseAccount, listErasures } from './customer-data/erasures.ts'
import { beginExport, exportFile, exportRows, exportSeries } from './customer-data/exports.ts'
import { provisionDevice, resetDevice } from './devices.ts'
import { handbookStatus, importHandbook, uploadHandbookImage } from './handbook.ts'
import { reissueAuthority } from './authority.ts'
import { refreshHubs } from './hubs.ts'
import { forgetHubs, holdOff, holdOn, holdStatus } from './missing-rows.ts'
import { disableMember, enableMember } from './members.ts'
import {
  sendMessage,
  editAnnouncement,
  listAnnouncements,
  publishAnnouncement,
  uploadAnnouncementImage,
  withdrawAnnouncement,
} from './notices.ts'
import {
  cancelNetworkTicket,
  listNetworkTickets,
  startNetworkTicket,
  completeNetworkTicket,
} from './network-tickets.ts'
import { listNetworkFrs, renewNetworkFr, setNetworkFrBandwidth, withdrawNetworkFr } from './network-frs.ts'
import { createPop, disablePop, editPop, listPopNodes, setPopNode } from './pops.ts'
import { providerStatus, listSmsCountries, setSmsCountry } from './providers.ts'
import { listReleases, publishRelease, withdrawRelease } from './releases.ts'
import { editRole } from './roles.ts'
import { openSelfTestSocket, selfTest } from './self-test.ts'
import { rehome } from './rehome.ts'
import { setPool, setSaas, setSaasTemporary } from './saas.ts'
import { showStatus } from './status.ts'
import { listTickets, replyTicket, setTicketStatus, showTicket } from './tickets.ts'
import { resetTotp } from './totp.ts'

/* Endpoints of the operator (`ops`). */

export const opsRoutes = new Hono<HonoEnv>()

opsRoutes.get(`/${SELF_TEST_SOCKET_PATH}`, openSelfTestSocket)

mount(opsRoutes, opsApi, {
  createAccount,
  setAccountStatus,
  setAccountFlags,
  setAccountHost,
  resetTotp,
  setDnsQuantity,
  accountExport: beginExport,
  accountExportRows: exportRows,
  accountExportSeries: exportSeries,
  accountExportFile: exportFile,
  accountErase: eraseAccount,
  accountErasures: listErasures,
  setService,
  createRam,
  editRole,
  provisionDevice,
  resetDevice,
  reissueAuthority,
  rehome,
  refreshHubs,
  holdOn,
  holdOff,
  holdStatus,
  forgetHubs,
  selfTest,
  status: showStatus,
  disableMember,
  enableMember,
  tokenLink: createTokenLink,
  publishAnnouncement,
  listAnnouncements,
  editAnnouncement,
  withdrawAnnouncement,
  uploadAnnouncementImage,
  handbookStatus,
  uploadHandbookImage,
  importHandbook,
  sendMessage,
  setContactExpiry,
  createPop,
  editPop,
  disablePop,
  popNode: setPopNode,
  popNodes: listPopNodes,
  listNetworkTickets,
  startNetworkTicket,
  completeNetworkTicket,
  cancelNetworkTicket,
  listNetworkFrs,
  renewNetworkFr,
  networkFrBandwidth: setNetworkFrBandwidth,
  withdrawNetworkFr,
  listTickets,
  showTicket,
  replyTicket,
  ticketStatus: setTicketStatus,
  providerStatus,
  smsCountries: listSmsCountries,
  smsCountry: setSmsCountry,
  publishRelease,
  listReleases,
  withdrawRelease,
  saasSet: setSaas,
  saasTemporary: setSaasTemporary,
  poolSet: setPool,
})
