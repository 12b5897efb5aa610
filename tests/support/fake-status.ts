import type { StatusPort } from '#contract/kernel/status.ts'

/** Status of an installation without a StatusHub, whose hubs answer. */
export const NO_STATUS: StatusPort = {
  report: () => null,
  read: () => null,
  sample: () => null,
  probeHub: async () => {},
}
