/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  SaasListPage: () => import('./saas-list-page.tsx').then((m) => m.SaasListPage),
  SaasDetailPage: () => import('./saas-detail-page.tsx').then((m) => m.SaasDetailPage),
} as const
