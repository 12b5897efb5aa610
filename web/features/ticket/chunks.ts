/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  TicketListPage: () => import('./pages/ticket-list-page.tsx').then((m) => m.TicketListPage),
  TicketDetailPage: () => import('./pages/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  TicketCreatePage: () => import('./pages/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
} as const
