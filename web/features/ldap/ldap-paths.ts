export const LDAP = '/router/ldap'
export const LDAP_USERS = `${LDAP}?users=1`
export const ldapEdit = (ldapType: 'create' | 'edit'): string => `/router/ldap_edit?ldapType=${ldapType}`
