import { useMemo } from 'react'
import { contactsApi } from '#contract/contacts/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { mayReadContacts } from '#domain/contacts/shown-contact.ts'
import { call, QUIET } from '#lib/call/call.ts'
import { useGrants } from '#lib/session/session.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the contact endpoints, and the calls behind the links of their mails. */

export type ContactRow = Output<typeof contactsApi.lists>[number]

/** Polling interval while a mail is on the way to the provider. */
const PENDING_POLL_MS = 2_000

/** Without it names and addresses are masked, and no search finds them. */
export const useMayReadContacts = () => mayReadContacts(useGrants())

/** The table asks the same policy as the calls that write. */
export const useMayEditContacts = () => isAllowed(contactsApi.create.access, useGrants())

export const useContacts = ({ page, limit, search }: Pick<ListView<never, never>, 'page' | 'limit' | 'search'>) =>
  useQuery(
    contactsApi.lists,
    { page, limit, search },
    {
      keepPrevious: true,
      pollMs: (last) => (last?.data.some(({ mail_pending }) => mail_pending === 1) ? PENDING_POLL_MS : 0),
    },
  )

/** Number of unsent alerts by address; for roles that see alerts. */
export function useUnsentCounts(): ReadonlyMap<string, number> {
  const mayView = isAllowed(monitorApi.unsent.access, useGrants())
  const { data } = useQuery(monitorApi.unsent, mayView ? {} : null)
  return useMemo(() => new Map(data?.data.map(({ target, count }) => [target, count])), [data])
}

export const useUnsentAlerts = (target: string, { page, limit }: Pick<ListView, 'page' | 'limit'>) =>
  useQuery(monitorApi.deliveries, { target, state: 'unsent', page, limit }, { keepPrevious: true })

export const useCreateContact = () => useCommand(contactsApi.create, [], QUIET)
export const useEditContact = () => useCommand(contactsApi.edit, [], QUIET)
export const useDeleteContact = () => useCommand(contactsApi.delete, [], QUIET)
export const useSendValidateEmail = () => useCommand(contactsApi.sendValidateEmail, [], { onMissing: 'stay' })
export const useUpdateVerify = () => useCommand(contactsApi.updateVerify, [], { onMissing: 'stay' })

export const validateEmail = (s: string) => call(contactsApi.validateEmail, { s }, QUIET)
export const refuseMails = (s: string) => call(contactsApi.refuseMails, { s }, QUIET)
export const acceptMails = (s: string) => call(contactsApi.acceptMails, { s }, QUIET)
export const unsubscribe = (s: string) => call(contactsApi.unsubscribe, { s }, QUIET)
