/* Import function of the dashboard page, for the page table (web/app/pages.ts). */

export const CHUNKS = {
  DashboardPage: () => import('#pages/dashboard/dashboard-page.tsx').then((m) => m.DashboardPage),
} as const
