/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  DashboardPage: () => import('./pages/dashboard-page.tsx').then((m) => m.DashboardPage),
} as const
