import { authSourceApi, type AuthSourceRow } from '#contract/auth-source/index.ts'
import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'

/* Hooks of the endpoints of auth sources (WeCom, Feishu, DingTalk). */

export type SourceRow = AuthSourceRow
/** Auth-source ID of the account, the download page that carries it, and the defaults of a new source of each vendor. */
export type SourceSetup = Output<typeof authSourceApi.code>

/** Saving asks the vendor, which takes longer than other calls. */
const IN_DIALOG = { timeoutMs: AUTH_SOURCE.formLockMs, quiet: true, onMissing: 'stay' } as const

export const useSources = () => useQuery(authSourceApi.lists, {})
export const useSourceSetup = () => useQuery(authSourceApi.code, {})
export const useCreateSource = () => useCommand(authSourceApi.create, [], IN_DIALOG)
export const useEditSource = () => useCommand(authSourceApi.edit, [], IN_DIALOG)
export const useEnableSource = () => useCommand(authSourceApi.enable, [], IN_DIALOG)
export const useDisableSource = () => useCommand(authSourceApi.disable, [], IN_DIALOG)
export const useDeleteSource = () => useCommand(authSourceApi.delete, [], IN_DIALOG)
