/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  TicketListPage: () => import('./ticket-list-page.tsx').then((m) => m.TicketListPage),
  TicketDetailPage: () => import('./ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  TicketCreatePage: () => import('./ticket-create-page.tsx').then((m) => m.TicketCreatePage),
} as const
