import { documentApi } from '#contract/document/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'

/* Hooks of the handbook endpoints: menu, article, search. */

export type Chapter = Output<typeof documentApi.menu>[number]
export type ArticleView = Output<typeof documentApi.info>

export const useHandbookMenu = () => useQuery(documentApi.menu, {})

export const useArticle = (id: string | null) =>
  useQuery(documentApi.info, id === null ? null : { id }, { onMissing: 'stay' })

export const useHandbookSearch = (q: string) =>
  useQuery(documentApi.search, q === '' ? null : { q }, { keepPrevious: true })
