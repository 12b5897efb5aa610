import { SENTENCE } from '#contract/kernel/result.ts'
import { ApiError, NETWORK_ERROR } from '#lib/call/transport.ts'

/** An upload that got no answer says so in the document's words (network 8). */
export const toUploadFailure = (error: unknown): unknown =>
  error instanceof ApiError && error.code === NETWORK_ERROR ? new ApiError(NETWORK_ERROR, SENTENCE.fault) : error
