import { Hono } from 'hono'
import { opsApi } from '../../contract/ops.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { setAccountFlags, setAccountHost, setDnsQuantity } from './account-features.ts'
import { createAccount, createRam, createTokenLink, setAccountStatus, setService } from './accounts.ts'
import {
  editAnnouncement,
  listAnnouncements,
  publishAnnouncement,
  uploadAnnouncementImage,
  withdrawAnnouncement,
} from './announcements.ts'
import { completeNetworkTicket, renewNetworkTicket, withdrawNetworkTicket } from './complete-ticket.ts'
import { setContactExpiry } from './contacts.ts'
import { provisionDevice, resetDevice } from './devices.ts'
import { refreshHubs } from './hubs.ts'
import { disableMember, enableMember } from './members.ts'
import { sendMessage } from './messages.ts'
import { cancelNetworkTicket, listNetworkTickets, startNetworkTicket } from './network-tickets.ts'
import { createPop, disablePop, editPop, setPopNode } from './pops.ts'
import { providerStatus } from './providers.ts'
import { editRole } from './roles.ts'
import { listSmsCountries, setSmsCountry } from './sms-countries.ts'

export const opsRoutes = new Hono<HonoEnv>()

mount(opsRoutes, opsApi, {
  createAccount,
  setAccountStatus,
  setAccountFlags,
  setAccountHost,
  setDnsQuantity,
  setService,
  createRam,
  editRole,
  provisionDevice,
  resetDevice: (ctx, { serial }) => resetDevice(ctx, serial),
  refreshHubs,
  disableMember,
  enableMember,
  tokenLink: createTokenLink,
  publishAnnouncement,
  listAnnouncements,
  editAnnouncement,
  withdrawAnnouncement,
  uploadAnnouncementImage,
  sendMessage,
  setContactExpiry,
  createPop,
  editPop,
  disablePop,
  popNode: setPopNode,
  listNetworkTickets,
  startNetworkTicket,
  completeNetworkTicket,
  cancelNetworkTicket,
  renewNetworkTicket,
  withdrawNetworkTicket,
  providerStatus,
  smsCountries: listSmsCountries,
  smsCountry: setSmsCountry,
})
