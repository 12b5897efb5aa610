/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  MonitorPage: () => import('./monitor-page.tsx').then((m) => m.MonitorPage),
} as const
