/** Stands in for refusals that only the server finds (vite.config.ts): their sentences come with its answers. */
export const HANDBOOK_ERRORS = {}
export const LDAP_ERRORS = {}
