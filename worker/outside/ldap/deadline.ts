import { DirectoryError, type DirectoryFailure } from '#outside/tls/failure.ts'

/** Fails with `reason` after `ms` and stops the work by `end`. A later failure of the work is ignored. */
export async function withDeadline<T>(
  ms: number,
  work: Promise<T>,
  end: () => void,
  reason: DirectoryFailure = 'timeout',
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DirectoryError(reason))
      end()
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
