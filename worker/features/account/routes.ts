import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editEmail, editPhone, sendEmailCode, sendPhoneCode } from './contact.ts'
import { editPassword } from './password.ts'
import { editProfile, readProfile, readUser } from './profile.ts'
import { register } from './register.ts'
import { endOtherSignIns, endSignIn, listSessions } from './sessions.ts'
import { listServices } from './bought-services.ts'
import { deleteSavedView, listViews, saveView } from './saved-views.ts'
import { editSign } from './suffix.ts'
import {
  disableTotp,
  enableTotp,
  readTotp,
  renewRecoveryCodes,
  setUpTotp,
  listRamTotp,
  requireRamTotp,
  resetRamTotp,
} from './totp.ts'
import { accountApi } from '#contract/account/index.ts'

/* Endpoints of the account: profile, services, contacts, password, sign-ins, second factor and saved views. */

export const accountRoutes = new Hono<HonoEnv>()

mount(accountRoutes, accountApi, {
  register,
  info: readUser,
  service: listServices,
  data: readProfile,
  editData: editProfile,
  defaultPhone: sendPhoneCode,
  defaultEmail: sendEmailCode,
  editPassword,
  editPhone,
  editEmail,
  sessions: listSessions,
  endSession: endSignIn,
  endOtherSessions: endOtherSignIns,
  editSign,
  totp: readTotp,
  totpSetup: setUpTotp,
  totpEnable: enableTotp,
  totpDisable: disableTotp,
  totpRecovery: renewRecoveryCodes,
  totpRams: listRamTotp,
  totpRequire: requireRamTotp,
  totpReset: resetRamTotp,
  views: listViews,
  saveView,
  deleteView: deleteSavedView,
})
