import { countryApi } from '#contract/country/index.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { call } from '#lib/call/call.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { account } from '#contract/account/account.ts'

/* Calls of the registration endpoints, and the hook of dial codes. */

export const useDialCodes = () => useQuery(countryApi.lists, {}).data?.data

export const sendRegisterCode = (input: Input<typeof verifyApi.register>) => call(verifyApi.register, input)
export const register = (input: Input<typeof account.register>) => call(account.register, input)
