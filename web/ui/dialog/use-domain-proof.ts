import { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { download } from '#lib/call/call.ts'
import { useCommand } from '#lib/call/use-endpoint.ts'

/* Calls that prove a domain: verification, and download of its file. */

/** The server of the domain may be slow. */
const PATIENT = { timeoutMs: LDAP.callMs } as const

export const useVerifyDomain = () =>
  useCommand(ldapApi.verifyDomain, [], { ...PATIENT, quiet: true, onMissing: 'stay' })
export const downloadDomainFile = (domain: string) => download(ldapApi.downloadVerifyDomain, { domain }, PATIENT)
