import { useEffect } from 'react'
import { accountApi } from '#contract/account/index.ts'
import type { UserInfo } from '#contract/account/user-info.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { routerApi } from '#contract/router/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { call, QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import { updateUser, useUser } from '#lib/session/session.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks and calls of the account endpoints: profile, contacts, sign-ins, services, second factor. */

/** No toast: the next step of the wizard shows the success. */
const SILENT = { quiet: true, done: null } as const

export type ContactKind = 'phone' | 'email'

export const useProfile = () => useQuery(accountApi.data, {}, { isFresh: true })
export const useSaveProfile = () => useCommand(accountApi.editData, [], QUIET)

/** Signed-in user as the service knows it now: another session may have changed it. */
export function useLatestUser(): UserInfo {
  const { data } = useQuery(accountApi.info, {}, { isFresh: true })
  useEffect(() => {
    if (data !== undefined) updateUser(data.data)
  }, [data])
  return useUser()
}

/** Reads the user again after a change. A failure leaves the earlier data: the next page reads it again. */
export const reloadUser = (): Promise<void> =>
  call(accountApi.info, {}, QUIET).then(
    ({ data }) => updateUser(data),
    () => {},
  )

/** Sends a code to an own contact; a toast says that it was sent, or why not. */
export function useSendDefaultCode(): (kind: ContactKind) => Promise<unknown> {
  const [phone, email] = [useCommand(accountApi.defaultPhone), useCommand(accountApi.defaultEmail)]
  return (kind) => (kind === 'phone' ? phone : email).trigger({})
}

export const useProveIdentity = () => useCommand(verifyApi.verify, [], SILENT)
export const useSendNewCode = () => useCommand(verifyApi.sendCode)
export const useEditPassword = () => useCommand(accountApi.editPassword, [], SILENT)
export const useEditPhone = () => useCommand(accountApi.editPhone, [], SILENT)
export const useEditEmail = () => useCommand(accountApi.editEmail, [], SILENT)

export type SignIn = Output<typeof accountApi.sessions>[number]

export const useSignIns = ({ page, limit }: Pick<ListView, 'page' | 'limit'>) =>
  useQuery(accountApi.sessions, { page, limit }, { keepPrevious: true })
export const useEndSignIn = () => useCommand(accountApi.endSession, [], QUIET)
export const useEndOtherSignIns = () => useCommand(accountApi.endOtherSessions, [], QUIET)

/** Number of software members that the suffix would rename; 0 while it is not known. */
export const useSoftwareCount = (): number => useQuery(routerApi.quantity, {}).data?.data.software ?? 0

export type ServiceRow = Output<typeof accountApi.service>[number]

export const useServices = ({ page, limit }: Pick<ListView, 'page' | 'limit'>) =>
  useQuery(accountApi.service, { page, limit }, { keepPrevious: true })

export const useTotp = () => useQuery(accountApi.totp, {})
/** A secret for the authenticator; each call gives another one. */
export const readTotpSetup = () => call(accountApi.totpSetup, {}, QUIET)
export const useEnableTotp = () => useCommand(accountApi.totpEnable, [], QUIET)
export const useDisableTotp = () => useCommand(accountApi.totpDisable, [], QUIET)
export const useRenewRecoveryCodes = () => useCommand(accountApi.totpRecovery, [], QUIET)

export type RamTotp = Output<typeof accountApi.totpRams>[number]

export const useRamTotp = ({ page, limit }: Pick<ListView, 'page' | 'limit'>) =>
  useQuery(accountApi.totpRams, { page, limit }, { keepPrevious: true })
export const useRequireTotp = () => useCommand(accountApi.totpRequire, [], QUIET)
export const useResetRamTotp = () => useCommand(accountApi.totpReset, [], { ...QUIET, done: '已重置' })
