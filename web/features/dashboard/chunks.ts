/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  DashboardPage: () => import('./dashboard-page.tsx').then((m) => m.DashboardPage),
} as const
