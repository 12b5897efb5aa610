/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  RamListPage: () => import('./ram-list-page.tsx').then((m) => m.RamListPage),
} as const
