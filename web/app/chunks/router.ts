/* Import functions of the pages of members (routers), for the page table (web/app/pages.ts). */

export const CHUNKS = {
  RouterListPage: () => import('#pages/router/list/router-list-page.tsx').then((m) => m.RouterListPage),
  RouterDetailPage: () => import('#pages/router/detail/router-detail-page.tsx').then((m) => m.RouterDetailPage),
} as const
