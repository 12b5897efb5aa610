import { MINUTE_MS } from '#contract/kernel/time.ts'

/** Limits of auth sources. All are ours except `formLockMs`. */
export const AUTH_SOURCE = {
  max: 20, // of an account
  nameMax: 24,
  idMax: 64,
  secretMax: 128,
  agentIdMax: 10,
  domainMax: 253,
  fileNameMax: 64,
  fileMax: 64, // characters of WeCom's file
  formLockMs: 60_000, // directory 9
  probeRate: { limit: 20, windowMs: MINUTE_MS }, // of an account: each probe calls the vendor
  wordsMax: 200, // of the vendor's own message
} as const

/** Crockford's alphabet: no I, L, O and U. */
export const SOURCE_CODE = { alphabet: '0123456789ABCDEFGHJKMNPQRSTVWXYZ', length: 8 } as const

export const AUTH_LOGIN = {
  requestMs: 600_000,
  exchangeMs: 60_000, // time limit of a callback; then the sign-in is over
  pollMs: 2_000,
  codeMax: 2_048, // characters of a vendor's code
  confirmDigits: 6, // of the code that client and page show
  rate: { limit: 300, windowMs: 15 * MINUTE_MS }, // of an address block, which a whole company may share
  wideRate: { limit: 1_000, windowMs: 15 * MINUTE_MS },
} as const

/** Callback paths of vendors, and paths of the downloads of a source ID. */
export const AUTH_CALLBACK_PATH = '/auth/callback'
export const AUTH_CONFIRM_PATH = '/auth/confirm'
export const SOURCE_PAGE_PATH = '/c/'
export const INSTALL_SCRIPT_PATH = '/install.sh'
