import { accountApi } from '#contract/account/account.ts'
import { countryApi } from '#contract/country/index.ts'
import { routerApi } from '#contract/router/routers.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { useCommand, useQuery } from './use-endpoint.ts'

/** Dialogs show the refusal themselves. */
const QUIET = { quiet: true } as const

export const useBindPhone = () => useCommand(routerApi.phone, [], QUIET)
export const useChangePassword = () => useCommand(routerApi.password, [], QUIET)
/** Renames every software member. */
export const useEditSign = () => useCommand(accountApi.editSign, [], QUIET)
export const useSendCode = () => useCommand(verifyApi.sendCode)
/** Not quiet: without the list of countries the form has only its default. */
export const useDialCodes = () => useQuery(countryApi.lists, {}, { quiet: false })
