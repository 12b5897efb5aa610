import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'

/* Operator's endpoint of the self-test, which a release passes at each of its steps. */

/** Path at /ops/v1 of a socket whose ping a hub answers. */
export const SELF_TEST_SOCKET_PATH = 'self_test/socket'

export const selfTestOps = {
  selfTest: read('self_test/run', 'operator:read', {
    summary: 'Have a guard refuse by its name, and a hub store and read; the command also opens a socket and a page',
    output: z.object({
      /** Versions that answered, of the Worker and of the hub; '' in a local run. */
      release: z.string(),
      hub_release: z.string(),
      /** Null: passed, else what is wrong. */
      guard: z.string().nullable(),
      hub: z.string().nullable(),
    }),
  }),
} as const
