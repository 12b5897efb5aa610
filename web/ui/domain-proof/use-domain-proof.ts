import { LDAP } from '#contract/ldap/limits.ts'
import { download } from '#lib/call.ts'
import { useCommand } from '#lib/use-endpoint.ts'
import { ldapApi } from '#contract/ldap/index.ts'

/** The domain's server may be slow. */
const PATIENT = { timeoutMs: LDAP.callMs } as const

export const useVerifyDomain = () =>
  useCommand(ldapApi.verifyDomain, [], { ...PATIENT, quiet: true, onMissing: 'stay' })
export const downloadDomainFile = (domain: string) => download(ldapApi.downloadVerifyDomain, { domain }, PATIENT)
