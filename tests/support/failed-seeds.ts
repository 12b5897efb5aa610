/** Seeds with which a suite that repeats has failed (`npm test` prints its own): every run repeats them. */
export const FAILED_SEEDS = {
  'any writes': [],
  'captcha reader': [],
  'configuration of a device': [],
  fuzz: [],
  'readers of a directory': [],
  rights: [],
  'same answer': [],
} as const satisfies Readonly<Record<string, readonly number[]>>
