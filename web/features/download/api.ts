import { downloadApi } from '#contract/download/index.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'

/* Hook of the published client versions. */

export const useVersions = () => useQuery(downloadApi.versions, {})
