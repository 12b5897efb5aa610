import { useEffect, useState } from 'react'
import { toast } from '#lib/toast/toast.ts'

/* Lazy parts of a page in chunks of their own: a loader with its hook, and loading ahead. */

export interface Chunk<Module> {
  /** Imports the module, once for all callers; a call after a failure tries again. */
  readonly load: () => Promise<Module>
  /** The module; null until it has arrived. Throws a failure for the error boundary. */
  readonly useModule: () => Module | null
}

/**
 * Part of a page in a chunk of its own. It replaces `lazy()`, which shows its fallback even if the chunk has arrived; React
 * then holds back the content for half a second.
 */
export function createChunk<Module extends object>(importChunk: () => Promise<Module>): Chunk<Module> {
  let module: Module | null = null
  let pending: Promise<Module> | null = null
  const load = () => {
    pending ??= importChunk().then(
      (imported) => (module = imported),
      (error: unknown) => {
        pending = null
        throw error
      },
    )
    return pending
  }
  const useModule = () => {
    const [loaded, setLoaded] = useState(module)
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
    useEffect(() => {
      if (loaded === null) load().then(setLoaded, (error: unknown) => setFailure({ error }))
    }, [loaded])
    if (failure !== null) throw failure.error
    return loaded
  }
  return { load, useModule }
}

/** Loads a chunk before it is needed; resolves to false, with a toast, if it did not arrive. */
export async function loadChunk(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load()
    return true
  } catch {
    toast.error('页面加载失败，请刷新后重试')
    return false
  }
}
