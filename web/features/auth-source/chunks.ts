/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  AuthSourceListPage: () => import('./auth-source-list-page.tsx').then((m) => m.AuthSourceListPage),
} as const
