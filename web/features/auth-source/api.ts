import { type AuthSourceRow, authSourceApi } from '../../../worker/contract/auth-source.ts'
import { AUTH_SOURCE } from '../../../worker/contract/auth-source-limits.ts'
import type { Output } from '../../../worker/contract/endpoint.ts'
import { useCommand, useQuery } from '../../lib/use-endpoint.ts'

export type SourceRow = AuthSourceRow
export type SourceCode = Output<typeof authSourceApi.code>

/** A save asks the vendor. */
const IN_DIALOG = { timeoutMs: AUTH_SOURCE.formLockMs, quiet: true, onMissing: 'stay' } as const

export const useSources = () => useQuery(authSourceApi.lists, {})
export const useSourceCode = () => useQuery(authSourceApi.code, {})
export const useCreateSource = () => useCommand(authSourceApi.create, [], IN_DIALOG)
export const useEditSource = () => useCommand(authSourceApi.edit, [], IN_DIALOG)
export const useEnableSource = () => useCommand(authSourceApi.enable, [], IN_DIALOG)
export const useDisableSource = () => useCommand(authSourceApi.disable, [], IN_DIALOG)
export const useDeleteSource = () => useCommand(authSourceApi.delete, [], IN_DIALOG)
