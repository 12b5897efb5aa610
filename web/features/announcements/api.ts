import type { Output } from '#contract/kernel/endpoint.ts'
import { announcementsApi } from '#contract/announcements/index.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the announcement endpoints. */

export type AnnouncementRow = Output<typeof announcementsApi.lists>[number]

export const useAnnouncements = ({ page, limit }: Pick<ListView, 'page' | 'limit'>) =>
  useQuery(announcementsApi.lists, { page, limit }, { keepPrevious: true })

export const useAnnouncement = (id: number) => useQuery(announcementsApi.info, { id }, { onMissing: 'stay' })
