/* Import functions of the pages of networks, POPs, FR and network tickets, for the page table (web/app/pages.ts). */

export const CHUNKS = {
  NetworkListPage: () => import('#pages/network/list/network-list-page.tsx').then((m) => m.NetworkListPage),
  NetworkEditPage: () => import('#pages/network/plan/network-edit-page.tsx').then((m) => m.NetworkEditPage),
  NetworkDetailPage: () => import('#pages/network/detail/network-detail-page.tsx').then((m) => m.NetworkDetailPage),
  TicketListPage: () => import('#pages/network/pop/tickets/ticket-list-page.tsx').then((m) => m.TicketListPage),
  TicketDetailPage: () => import('#pages/network/pop/tickets/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  TicketCreatePage: () => import('#pages/network/pop/tickets/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
  PopEditPage: () => import('#pages/network/pop/pop-edit-page.tsx').then((m) => m.PopEditPage),
  FrListPage: () => import('#pages/network/pop/fr-list-page.tsx').then((m) => m.FrListPage),
} as const

export const preloadDetail = (query: URLSearchParams): Promise<void> =>
  import('#pages/network/detail/use-network-view.ts').then((m) => m.preloadDetail(query))
