/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  NetworkListPage: () => import('./list/network-list-page.tsx').then((m) => m.NetworkListPage),
  NetworkEditPage: () => import('./plan/network-edit-page.tsx').then((m) => m.NetworkEditPage),
  NetworkDetailPage: () => import('./detail/network-detail-page.tsx').then((m) => m.NetworkDetailPage),
  TicketListPage: () => import('./pop/tickets/ticket-list-page.tsx').then((m) => m.TicketListPage),
  TicketDetailPage: () => import('./pop/tickets/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  TicketCreatePage: () => import('./pop/tickets/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
  PopEditPage: () => import('./pop/pop-edit-page.tsx').then((m) => m.PopEditPage),
  FrListPage: () => import('./pop/fr-list-page.tsx').then((m) => m.FrListPage),
} as const

export const preloadDetail = (query: URLSearchParams): Promise<void> =>
  import('./detail/use-network-view.ts').then((m) => m.preloadDetail(query))
