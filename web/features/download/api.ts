import { downloadApi } from '#contract/download/index.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'

export const useVersions = () => useQuery(downloadApi.versions, {})
