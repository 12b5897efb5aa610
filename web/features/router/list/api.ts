import { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'

/* Hook of the list alone: state of the account's directory. */

export const useDirectoryStatus = (isAllowed: boolean) =>
  useQuery(ldapApi.status, isAllowed ? {} : null, { timeoutMs: LDAP.callMs })
