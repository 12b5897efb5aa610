/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  ContactsPage: () => import('./contacts-page.tsx').then((m) => m.ContactsPage),
} as const
