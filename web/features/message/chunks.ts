/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  MessageListPage: () => import('./message-list-page.tsx').then((m) => m.MessageListPage),
} as const
