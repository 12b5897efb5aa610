/* Chunk of the dashboard page. */

export const CHUNKS = {
  DashboardPage: () => import('#pages/dashboard/dashboard-page.tsx').then((m) => m.DashboardPage),
} as const
