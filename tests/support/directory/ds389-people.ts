/** Suffix and account of the 389-ds of the tests, in a file that also loads inside workerd. */
export const DS389_SUFFIX = 'dc=qiming,dc=test'
export const DS389_ACCOUNT = { bindDn: 'cn=Directory Manager', password: 'Manager-2026' } as const
