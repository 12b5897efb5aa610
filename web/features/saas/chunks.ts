/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  SaasListPage: () => import('./pages/saas-list-page.tsx').then((m) => m.SaasListPage),
  SaasDetailPage: () => import('./pages/saas-detail-page.tsx').then((m) => m.SaasDetailPage),
} as const
