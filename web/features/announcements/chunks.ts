/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  AnnouncementListPage: () => import('./announcement-list-page.tsx').then((m) => m.AnnouncementListPage),
  AnnouncementDetailPage: () => import('./announcement-detail-page.tsx').then((m) => m.AnnouncementDetailPage),
} as const
