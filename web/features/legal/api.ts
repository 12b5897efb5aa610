import useSWR, { type SWRResponse } from 'swr'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import { type ApiError, networkError } from '#lib/call/transport.ts'

/* Hook of the legal texts that are files of the console. */

export const useLegalText = (path: string): SWRResponse<string, ApiError> => useSWR<string, ApiError>(path, readText)

async function readText(path: string): Promise<string> {
  const response = await fetch(path, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch(() => null)
  if (!response?.ok) throw networkError()
  return response.text()
}
