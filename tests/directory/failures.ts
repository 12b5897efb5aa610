import { DirectoryError, type DirectoryFailure } from '#outside/tls/failure.ts'

/** Reason why it failed; anything but a DirectoryError is a fault of ours. */
export async function catchFailure(work: Promise<unknown>): Promise<DirectoryFailure | 'nothing'> {
  try {
    await work
    return 'nothing'
  } catch (error) {
    if (error instanceof DirectoryError) return error.reason
    throw error
  }
}
