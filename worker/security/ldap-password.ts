import type { SealedPlace } from './sealed.ts'

/** The password with which a directory is read. */
export const ldapPasswordPlace = (accountId: number): SealedPlace => ({
  table: 'ldap_configs',
  column: 'password_sealed',
  accountId,
})
