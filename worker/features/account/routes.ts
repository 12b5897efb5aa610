import { Hono } from 'hono'
import { refuse } from '#contract/kernel/errors.ts'
import { selectUserById } from './sql/users.ts'
import { toUserInfo } from '#domain/account/user.ts'
import { OWN_PURPOSE } from '#contract/verify/index.ts'
import { type Ctx, type HonoEnv, requireSession } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editContact } from './contact.ts'
import { editPassword } from './password.ts'
import { editProfile, readProfile } from './profile.ts'
import { register } from './register.ts'
import { endOtherSignIns, endSignIn, listSessions } from './sessions.ts'
import { listServices } from './services.ts'
import { editSign } from './sign.ts'
import { listRamTotp, requireRamTotp, resetRamTotp } from './totp-rams.ts'
import { disableTotp, enableTotp, readTotp, renewRecoveryCodes, setUpTotp } from './totp.ts'
import { accountApi } from '#contract/account/index.ts'
import { requireOwnContact, sendAccountCode } from '#features/verify/service.ts'

/** Identity step: a code to the own contact. */
const sendDefaultCode = async (ctx: Ctx, kind: 'phone' | 'email') =>
  sendAccountCode(ctx, OWN_PURPOSE[kind], await requireOwnContact(ctx, kind))

export const accountRoutes = new Hono<HonoEnv>()

mount(accountRoutes, accountApi, {
  register,
  info: async (ctx) => {
    const { accountId, ramId } = requireSession(ctx)
    const [user] = await selectUserById(ctx.db, accountId, ramId)
    return user ? toUserInfo(user) : refuse('SESSION_REVOKED')
  },
  service: listServices,
  data: readProfile,
  editData: editProfile,
  defaultPhone: (ctx) => sendDefaultCode(ctx, 'phone'),
  defaultEmail: (ctx) => sendDefaultCode(ctx, 'email'),
  editPassword: (ctx, { new_password }) => editPassword(ctx, new_password),
  editPhone: (ctx, { area_code, phone, ...proofs }) =>
    editContact(ctx, { kind: 'phone', to: `+${area_code} ${phone}`, ...proofs }),
  editEmail: (ctx, { email, ...proofs }) => editContact(ctx, { kind: 'email', to: email, ...proofs }),
  sessions: listSessions,
  endSession: (ctx, { session_id }) => endSignIn(ctx, session_id),
  endOtherSessions: endOtherSignIns,
  editSign: (ctx, { sign }) => editSign(ctx, sign),
  totp: readTotp,
  totpSetup: setUpTotp,
  totpEnable: enableTotp,
  totpDisable: disableTotp,
  totpRecovery: renewRecoveryCodes,
  totpRams: listRamTotp,
  totpRequire: (ctx, { required }) => requireRamTotp(ctx, required),
  totpReset: (ctx, { ram_id }) => resetRamTotp(ctx, ram_id),
})
