import { countryApi } from '#contract/country/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import { account } from '#contract/account/account.ts'
import { software } from '#contract/router/software.ts'

/* Hooks that change credentials of software members: phone, password, suffix. */

export const useBindPhone = () => useCommand(software.phone, [], QUIET)
export const useChangePassword = () => useCommand(software.password, [], QUIET)
/** Renames every software member. */
export const useEditSign = () => useCommand(account.editSign, [], QUIET)
export const useSendCode = () => useCommand(verifyApi.sendCode)
/** Not quiet: without the list of countries the form only has its default. */
export const useDialCodes = () => useQuery(countryApi.lists, {}, { quiet: false }).data?.data
