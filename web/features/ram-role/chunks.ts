/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  RoleListPage: () => import('./pages/role-list-page.tsx').then((m) => m.RoleListPage),
} as const
