import { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'

/** State of the account's directory, for the head of the list alone. */
export const useDirectoryStatus = (isAllowed: boolean) =>
  useQuery(ldapApi.status, isAllowed ? {} : null, { timeoutMs: LDAP.callMs })
