import { countryApi } from '#contract/country/index.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { call } from '#lib/call/call.ts'
import { send } from '#lib/call/transport.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { accessToken } from '#lib/session/session.ts'
import { account } from '#contract/account/account.ts'

/* Calls of the registration endpoints, and the hook of dial codes. */

export const useDialCodes = () => useQuery(countryApi.lists, {}).data?.data

export const sendRegisterCode = (input: Input<typeof verifyApi.register>) => call(verifyApi.register, input)

/** Registers, and names the session of this browser, which the new one replaces. The form shows a refusal. */
export const register = async (input: Input<typeof account.register>) =>
  send(account.register, input, await accessToken())
