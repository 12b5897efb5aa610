/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  PoolListPage: () => import('./pages/pool-list-page.tsx').then((m) => m.PoolListPage),
  PoolDetailPage: () => import('./pages/pool-detail-page.tsx').then((m) => m.PoolDetailPage),
} as const
