import { account } from './account.ts'
import { savedViews } from './saved-views.ts'
import { totp } from './totp.ts'

/** Endpoints of the account noun, collected. */
export const accountApi = {
  register: account.register,
  info: account.info,
  service: account.service,
  data: account.data,
  editData: account.editData,
  defaultPhone: account.defaultPhone,
  defaultEmail: account.defaultEmail,
  editPassword: account.editPassword,
  editPhone: account.editPhone,
  editEmail: account.editEmail,
  sessions: account.sessions,
  endSession: account.endSession,
  endOtherSessions: account.endOtherSessions,
  editSign: account.editSign,
  totp: totp.totp,
  totpSetup: totp.totpSetup,
  totpEnable: totp.totpEnable,
  totpDisable: totp.totpDisable,
  totpRecovery: totp.totpRecovery,
  totpRams: totp.totpRams,
  totpRequire: totp.totpRequire,
  totpReset: totp.totpReset,
  views: savedViews.views,
  saveView: savedViews.saveView,
  deleteView: savedViews.deleteView,
} as const
