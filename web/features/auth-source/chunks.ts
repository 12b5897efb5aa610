/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  AuthSourceListPage: () => import('./pages/auth-source-list-page.tsx').then((m) => m.AuthSourceListPage),
} as const
