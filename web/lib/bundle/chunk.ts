import { useEffect, useState } from 'react'
import { toast } from '#lib/toast/toast.ts'

export interface Chunk<Module> {
  /** Imports it, once for all who ask; after a failure the next one asks again. */
  readonly load: () => Promise<Module>
  /** Null until it is there; a failure is thrown, for the error boundary. */
  readonly useModule: () => Module | null
}

/**
 * A part of a page in a chunk of its own. In place of `lazy()`, which shows its fallback even where the chunk has
 * arrived: React then holds back what follows the fallback for half a second.
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

/** Loads a chunk ahead of what needs it. Whether it arrived; where not, a toast says so. */
export async function loadChunk(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load()
    return true
  } catch {
    toast.error('页面加载失败，请刷新后重试')
    return false
  }
}
