/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  RoleListPage: () => import('./role-list-page.tsx').then((m) => m.RoleListPage),
} as const
