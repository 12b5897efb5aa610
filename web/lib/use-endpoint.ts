import useSWR, { type SWRResponse, useSWRConfig } from 'swr'
import useSWRMutation, { type SWRMutationResponse } from 'swr/mutation'
import type { z } from 'zod'
import type { Endpoint } from '../../worker/contract/endpoint.ts'
import { type ApiError, call, type CallOptions, type Reply } from './call.ts'
import { toast } from './toast.ts'

export interface QueryOptions extends CallOptions {
  /** Asks again every so often while the tab is visible; its failures are not shown. */
  readonly pollMs?: number
  /** Shows the answer to the old input until the new one is there: for pages of one list, not for one thing after another. */
  readonly keepPrevious?: boolean
}

/** Reads an endpoint; null as input waits. The cache key is path and input, so a path names all pages of a list. */
export function useQuery<I extends z.ZodType, O extends z.ZodType>(
  spec: Endpoint<I, O>,
  input: z.input<I> | null,
  { pollMs = 0, keepPrevious = false, ...options }: QueryOptions = {},
): SWRResponse<Reply<z.output<O>>, ApiError> {
  return useSWR<Reply<z.output<O>>, ApiError>(
    input === null ? null : [spec.path, input],
    () => call(spec, input as z.input<I>, { quiet: pollMs > 0, ...options }),
    { refreshInterval: pollMs, keepPreviousData: keepPrevious, shouldRetryOnError: false },
  )
}

/** Reads the named endpoints again, all their inputs that are on the page. */
export function useRefresh(): (specs: readonly { readonly path: string }[]) => void {
  const { mutate } = useSWRConfig()
  return (specs) => void mutate((key) => Array.isArray(key) && specs.some(({ path }) => path === key[0]))
}

/**
 * `trigger(input)` runs a write, shows the server's message and reads the named endpoints again. It throws what `call`
 * throws; a caller that has nothing to add may leave it unhandled.
 */
export function useCommand<I extends z.ZodType, O extends z.ZodType>(
  spec: Endpoint<I, O>,
  refreshes: readonly { readonly path: string }[] = [],
  options: CallOptions = {},
): SWRMutationResponse<Reply<z.output<O>>, ApiError, string, z.input<I>> {
  const refresh = useRefresh()
  return useSWRMutation<Reply<z.output<O>>, ApiError, string, z.input<I>>(
    spec.path,
    (_path: string, { arg }: { readonly arg: z.input<I> }) => call(spec, arg, options),
    {
      onSuccess({ msg }) {
        if (msg !== '') toast.done(msg)
        refresh(refreshes)
      },
    },
  )
}
