/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  NetworkListPage: () => import('./pages/network-list-page.tsx').then((m) => m.NetworkListPage),
  NetworkEditPage: () => import('./pages/network-edit-page.tsx').then((m) => m.NetworkEditPage),
  NetworkDetailPage: () => import('./pages/network-detail-page.tsx').then((m) => m.NetworkDetailPage),
  TicketListPage: () => import('./pages/ticket-list-page.tsx').then((m) => m.TicketListPage),
  TicketDetailPage: () => import('./pages/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  TicketCreatePage: () => import('./pages/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
  PopEditPage: () => import('./pages/pop-edit-page.tsx').then((m) => m.PopEditPage),
  FrListPage: () => import('./pages/fr-list-page.tsx').then((m) => m.FrListPage),
} as const

export const preloadDetail = (query: URLSearchParams): Promise<void> =>
  import('./preload-detail.ts').then((m) => m.preloadDetail(query))
