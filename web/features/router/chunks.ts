/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  RouterListPage: () => import('./list/router-list-page.tsx').then((m) => m.RouterListPage),
  RouterDetailPage: () => import('./detail/router-detail-page.tsx').then((m) => m.RouterDetailPage),
} as const
