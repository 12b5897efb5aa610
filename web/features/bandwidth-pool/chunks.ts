/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  PoolListPage: () => import('./pool-list-page.tsx').then((m) => m.PoolListPage),
  PoolDetailPage: () => import('./pool-detail-page.tsx').then((m) => m.PoolDetailPage),
} as const
