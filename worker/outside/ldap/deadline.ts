import { within } from '#db/concurrency.ts'
import { DirectoryError, type DirectoryFailure } from '#outside/tls/failure.ts'

/** Fails with `reason` after `ms` and stops the work by `end`. A later failure of the work is ignored. */
export const withDeadline = <T>(
  ms: number,
  work: Promise<T>,
  end: () => void,
  reason: DirectoryFailure = 'timeout',
): Promise<T> => within(ms, work, () => new DirectoryError(reason), end)
