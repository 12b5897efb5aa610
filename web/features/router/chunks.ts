/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  RouterListPage: () => import('./pages/router-list-page.tsx').then((m) => m.RouterListPage),
  RouterDetailPage: () => import('./pages/router-detail-page.tsx').then((m) => m.RouterDetailPage),
} as const
