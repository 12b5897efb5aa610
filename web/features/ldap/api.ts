import { useEffect, useRef } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { JOB_POLL_MS } from '#contract/network/limits.ts'
import { call } from '#lib/call/call.ts'
import { toast } from '#lib/toast/toast.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks and calls of the LDAP directory endpoints. */

export type LdapConfig = NonNullable<Output<typeof ldapApi.config>>
export type SyncStatus = Output<typeof ldapApi.syncStatus>
export type CheckReply = Output<typeof ldapApi.check>
export type DirectoryUser = Output<typeof ldapApi.user>[number]
export type PlanName = Output<typeof ldapApi.plan>['names'][number]
export type PlanKind = 'added' | 'changed' | 'disabled' | 'enabled' | 'conflicts' | 'removable'
export type RunRow = Output<typeof ldapApi.runs>[number]
export type Applied = Output<typeof ldapApi.import>
export type Hardware = Output<typeof ldapApi.hardware>[number]

/** Directories may be slow. Dialogs show a refusal themselves, and stay open if the listing has changed. */
const PATIENT = { timeoutMs: LDAP.callMs } as const
const IN_DIALOG = { ...PATIENT, quiet: true, onMissing: 'stay' } as const

export const useLdapConfig = (isFresh = false) => useQuery(ldapApi.config, {}, { ...PATIENT, isFresh })

/** Polls faster during a sync run, and reads the changed data again at its end. */
export function useSyncStatus() {
  const query = useQuery(
    ldapApi.syncStatus,
    {},
    {
      ...PATIENT,
      pollMs: (last) => (last?.data.run?.state === 'running' ? JOB_POLL_MS : STATUS_POLL_MS),
    },
  )
  const refresh = useRefresh([ldapApi.user, ldapApi.plan, ldapApi.runs])
  const state = query.data?.data.run?.state
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'running' && state !== 'running') refresh()
    before.current = state
  }, [state, refresh])
  return query
}

type Page = Pick<ListView<never, never>, 'page' | 'limit'>
export const useRuns = ({ page, limit }: Page) =>
  useQuery(ldapApi.runs, { page, limit }, { ...PATIENT, keepPrevious: true })
export const useDirectoryUsers = (list: Page & { readonly search: string }, exist: '' | '0' | '1') =>
  useQuery(
    ldapApi.user,
    { page: list.page, limit: list.limit, search: list.search, exist },
    // An empty hash: the first listing is being read.
    { ...PATIENT, keepPrevious: true, pollMs: (last) => (last?.hash === '' ? JOB_POLL_MS : 0) },
  )
export const usePlan = (kind: PlanKind, page: number) =>
  useQuery(ldapApi.plan, { kind, page }, { ...PATIENT, keepPrevious: true })

export const useNetworkOptions = () => useQuery(networkApi.select, {})
/** Hardware members with their presence, which may change while the form is open. */
export const useHardware = (search: string) =>
  useQuery(ldapApi.hardware, { search }, { ...PATIENT, keepPrevious: true, pollMs: STATUS_POLL_MS })

export const useCheck = () => useCommand(ldapApi.check, [], { ...IN_DIALOG, done: null })
export const useSave = () => useCommand(ldapApi.save, [], IN_DIALOG)
export const uploadCa = (file: File) => call(ldapApi.uploadCa, { file }, IN_DIALOG)

export const useImport = () => useCommand(ldapApi.import, [], IN_DIALOG)
export const useImportAll = () => useCommand(ldapApi.importAll, [], IN_DIALOG)
export const useRemove = () => useCommand(ldapApi.remove, [], IN_DIALOG)
export const useRemoveAll = () => useCommand(ldapApi.removeAll, [], IN_DIALOG)
export const useRemoveDisabled = () => useCommand(ldapApi.removeDisable, [], IN_DIALOG)
export const useSync = () => useCommand(ldapApi.sync, [], IN_DIALOG)
export const useConfirmRun = () => useCommand(ldapApi.confirm, [], IN_DIALOG)
export const useRestartSync = () => useCommand(ldapApi.restartSync, [], { ...PATIENT, onMissing: 'stay' })
export const useSyncMode = () => useCommand(ldapApi.syncMode, [], IN_DIALOG)
export const useUndo = () => useCommand(ldapApi.undo, [], IN_DIALOG)

/** Closes the directory; the toast offers to undo it, also where the page has gone meanwhile. */
export function useCloseLdap() {
  const { trigger: close } = useCommand(ldapApi.delete, [], { ...IN_DIALOG, done: null })
  const { trigger: undo } = useCommand(ldapApi.undo, [], { ...PATIENT, onMissing: 'stay' })
  const trigger = async (input: Parameters<typeof close>[0]) => {
    const { data, msg } = await close(input)
    toast.done(msg, { action: { label: '撤销', run: () => void undo({ id: data.id }).catch(() => {}) } })
  }
  return { trigger }
}
