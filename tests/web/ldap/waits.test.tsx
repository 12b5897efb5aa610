import { renderHook, waitFor, cleanup } from '@testing-library/react'
import { type ReactNode, act } from 'react'
import { SWRConfig } from 'swr'
import { afterEach, expect, it, vi } from 'vitest'
import { useDirectoryStatus } from '#pages/router/list/api.ts'
import * as ldap from '#pages/ldap/api.ts'
import { adoptSession } from '#lib/session/session.ts'
import { LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { fakeApi } from '../lib/fake-api.ts'
import { createSession } from '../lib/fixtures.ts'
import { watchWaits } from '../lib/watch-waits.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { downloadDomainFile, useVerifyDomain } from '#ui/dialog/use-domain-proof.ts'

const PAGE = { page: 1, limit: 10 } as const
const READS: Readonly<Record<string, () => unknown>> = {
  status: () => useDirectoryStatus(true),
  config: () => ldap.useLdapConfig(),
  syncStatus: () => ldap.useSyncStatus(),
  runs: () => ldap.useRuns(PAGE),
  user: () => ldap.useDirectoryUsers({ ...PAGE, search: '' }, ''),
  plan: () => ldap.usePlan('added', 1),
  hardware: () => ldap.useHardware(''),
}
const WRITES: Readonly<Record<string, () => { readonly trigger: unknown }>> = {
  check: ldap.useCheck,
  save: ldap.useSave,
  import: ldap.useImport,
  importAll: ldap.useImportAll,
  remove: ldap.useRemove,
  removeAll: ldap.useRemoveAll,
  removeDisable: ldap.useRemoveDisabled,
  sync: ldap.useSync,
  confirm: ldap.useConfirmRun,
  restartSync: ldap.useRestartSync,
  syncMode: ldap.useSyncMode,
  undo: ldap.useUndo,
  delete: ldap.useCloseLdap,
  verifyDomain: useVerifyDomain,
}
const FILES: Readonly<Record<string, () => Promise<unknown>>> = {
  uploadCa: () => ldap.uploadCa(new File(['x'], 'ca.pem')),
  downloadVerifyDomain: () => downloadDomainFile('acme.example').catch(() => null), // no file: how long it waits is known
}

afterEach(() => void vi.restoreAllMocks())

const Pages = ({ children }: { readonly children: ReactNode }) => (
  <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{children}</SWRConfig>
)
const pathOf = (key: string) => ldapApi[key as keyof typeof ldapApi].path

/** A signed-in page whose waits are watched, instead of the one before. */
function openPage() {
  cleanup()
  vi.restoreAllMocks()
  adoptSession(createSession())
  const waitsOf = watchWaits()
  const api = fakeApi(LDAP_REPLIES as never)
  return { api, waits: () => waitsOf(api) }
}

it('directory 7 · these are all calls of the directory', () => {
  expect(Object.keys({ ...READS, ...WRITES, ...FILES }).toSorted()).toEqual(Object.keys(ldapApi).toSorted())
})

it('directory 7 · LDAP calls wait 60 s', async () => {
  const reads = await findOffenders(Object.entries(READS))(async (key, useRead) => {
    const { waits } = openPage()
    renderHook(useRead, { wrapper: Pages })
    await waitFor(() => expect(waits()).toEqual({ [pathOf(key)]: 60_000 }))
  })
  const writes = await findOffenders(Object.entries(WRITES))(async (key, useWrite) => {
    const { api, waits } = openPage()
    api.set(pathOf(key), { msg: '', data: { id: 'c1' } })
    const { result } = renderHook(useWrite, { wrapper: Pages })
    await act(() => (result.current.trigger as (input: object) => Promise<unknown>)({}))
    expect(waits()).toEqual({ [pathOf(key)]: 60_000 })
  })
  const files = await findOffenders(Object.entries(FILES))(async (key, send) => {
    const { api, waits } = openPage()
    api.set(pathOf(key), { msg: '' })
    await send()
    expect(waits()).toEqual({ [pathOf(key)]: 60_000 })
  })
  expect([...reads, ...writes, ...files]).toEqual([])
})
