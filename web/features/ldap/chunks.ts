/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  LdapPage: () => import('./overview/ldap-page.tsx').then((m) => m.LdapPage),
  LdapEditPage: () => import('./edit/ldap-edit-page.tsx').then((m) => m.LdapEditPage),
} as const
