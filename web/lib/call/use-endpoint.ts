import { useCallback, useState } from 'react'
import useSWR, { type KeyedMutator, type SWRResponse, unstable_serialize as toCacheKey, useSWRConfig } from 'swr'
import useSWRMutation, { type SWRMutationResponse } from 'swr/mutation'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import type { BatchCounts } from '#contract/kernel/result.ts'
import { type ApiError, call, type CallOptions, type ReplyTo } from './call.ts'
import { toast } from '#lib/toast/toast.ts'
import { useLatest } from '#lib/use-latest.ts'
import { isTransient } from './transport.ts'

/* Hooks that read an endpoint (useQuery), write to one (useCommand), or read again (useRefresh). */

export interface QueryOptions<Reply = unknown> extends CallOptions {
  /** Polling interval while the tab is visible; 0 stops it. */
  readonly pollMs?: number | ((last: Reply | undefined) => number)
  /** Keeps the previous answer while the next one loads: for pages of one list, not for different entities. */
  readonly keepPrevious?: boolean
  /** Shows no cached data; for the start values of a form. */
  readonly isFresh?: boolean
}

/** Longest delay of a retry, in polling intervals. */
const RETRY_LONGEST = 6

let mounts = 0

/** Keys that are read again because of a live frame, the end of a job or 重试: the primary answers their next read. */
const primaryKeys = new Set<string>()

/** Runs a read; one of the primary stays due until it succeeds. */
async function readKey<T>(key: string, read: (reads: 'primary' | undefined) => Promise<T>): Promise<T> {
  const isPrimary = primaryKeys.has(key)
  const reply = await read(isPrimary ? 'primary' : undefined)
  if (isPrimary) primaryKeys.delete(key)
  return reply
}

const toRetryMs = (count: number): number =>
  Math.min(2 ** (count - 1), RETRY_LONGEST) * STATUS_POLL_MS * (0.5 + Math.random())

/**
 * Reads an endpoint; with null as input it waits. The cache key is path and input, so a path names all pages of a list.
 * Quiet by default: pages show their own error state, which a later successful try removes. `mutate` reads the primary.
 */
export function useQuery<E extends Endpoint>(
  spec: E,
  input: Input<E> | null,
  { pollMs = 0, keepPrevious = false, isFresh = false, quiet = true, ...options }: QueryOptions<ReplyTo<E>> = {},
): SWRResponse<ReplyTo<E>, ApiError> {
  const [mount] = useState(() => (isFresh ? [++mounts] : []))
  const key = input === null ? null : [spec.path, input, ...mount]
  const read = (reads: 'primary' | undefined) => call(spec, input as Input<E>, { quiet, reads, ...options })
  const query = useSWR<ReplyTo<E>, ApiError>(key, () => (isFresh ? read('primary') : readKey(toCacheKey(key), read)), {
    refreshInterval: pollMs,
    keepPreviousData: keepPrevious,
    // Polling stops while a read has failed: without a retry one lost answer would end it for good.
    shouldRetryOnError: isTransient,
    onErrorRetry: ({ retryAfter = 0 }, _key, _config, revalidate, tried) =>
      void setTimeout(() => void revalidate(tried), Math.max(toRetryMs(tried.retryCount), retryAfter * 1000)),
  })
  return Object.assign(query, { mutate: usePrimaryMutate(query.mutate, toCacheKey(key)) }) // its other fields are getters
}

function usePrimaryMutate<T>(mutate: KeyedMutator<T>, key: string): KeyedMutator<T> {
  const latest = useLatest(key)
  return useCallback(
    (...change: Parameters<KeyedMutator<T>>) => {
      primaryKeys.add(latest.current)
      return mutate(...change)
    },
    [mutate, latest],
  ) as KeyedMutator<T>
}

interface ReadEndpoint {
  readonly path: string
}

/** Reads the named endpoints again on the primary, with all inputs in use on the page. */
export function useRefresh(specs: readonly ReadEndpoint[]): () => void {
  const refresh = useRefreshPaths((key) => primaryKeys.add(toCacheKey(key)))
  return () => refresh(specs.map(({ path }) => path))
}

function useRefreshPaths(onRead: (key: readonly unknown[]) => void = () => {}): (paths: readonly string[]) => void {
  const { mutate } = useSWRConfig()
  return (paths) =>
    void mutate((key) => {
      const isRead = Array.isArray(key) && paths.includes(key[0] as string)
      if (isRead) onRead(key)
      return isRead
    })
}

/** Tone of a success sentence; of a batch by its counts. */
function toneOf(counts: BatchCounts | undefined): 'done' | 'warn' | 'error' {
  if (counts === undefined || (counts.done > 0 && counts.left === 0)) return 'done'
  return counts.done > 0 || counts.left === 0 ? 'warn' : 'error'
}

export interface CommandOptions extends CallOptions {
  /** The page's own success sentence in place of the contract's; null shows none. */
  readonly done?: string | null
}

/**
 * `trigger(input)` runs a write, shows the success sentence, and reads again the stale endpoints (`refreshes` of the
 * contract, and `moreReads`). It throws like `call`; a caller that has nothing to add may leave the error unhandled.
 */
export function useCommand<E extends Endpoint>(
  spec: E,
  moreReads: readonly ReadEndpoint[] = [],
  { done, ...options }: CommandOptions = {},
): SWRMutationResponse<ReplyTo<E>, ApiError, string, Input<E>> {
  const refresh = useRefreshPaths()
  return useSWRMutation<ReplyTo<E>, ApiError, string, Input<E>>(
    spec.path,
    (_path: string, { arg }: { readonly arg: Input<E> }) => call(spec, arg, options),
    {
      onSuccess({ msg, data }) {
        const sentence = done === undefined ? msg : done
        if (sentence) toast[data === null ? 'done' : toneOf(spec.counts?.(data))](sentence)
        refresh([...(spec.refreshes ?? []), ...moreReads.map(({ path }) => path)])
      },
    },
  )
}
