import { HOUR_MS } from '#contract/kernel/time.ts'

/** Limits of the client application of software members. All are ours. */
export const CLIENT = {
  sessionsMax: 10, // open sessions of a member; a further sign-in ends the oldest
  loginRate: { limit: 60, windowMs: HOUR_MS }, // successful sign-ins of a member: each creates a session and a record
  phoneMembersMax: 50, // members of one phone to choose from
  oldSignDays: 30, // days for which members may sign in with the old suffix
  oldSignsMax: 10, // old suffixes of an account, which no other account may take
  passwordMax: 128, // passwords of directories may be longer than ours
  versionMax: 32,
  systemMax: 64, // brand, model, version of the device
  capabilitiesMax: 32,
  capabilityMax: 32, // characters
} as const

/** Dials of software members. A dial takes tokens only, because the centre is the customer's machine. */
export const DIAL_TOKEN = {
  validMs: 12 * HOUR_MS,
  textMax: 512, // characters of what is presented as a token
  openMax: 8, // dials of a router that are decided at once
  failures: 5, // of a member at an address, in `pauseMinutes`
  failuresPerAddress: 50, // over all members of the account
  pauseMinutes: 15,
} as const

/**
 * Seconds, from and to, after which a dial that was refused for a passing cause is tried again. Files of clients allow 30 at
 * most (`connect-retry`).
 */
export const DIAL_RETRY = {
  pendingS: { from: 3, to: 5 },
  awayS: { from: 10, to: 15 },
  busyS: { from: 15, to: 25 }, // the hub decides ten a second for a router
} as const

/** Profiles of a software member: files for applications of others, one for each device and network. */
export const CLIENT_PROFILE = {
  openMax: 5, // of a member and network
  listedMax: 100, // of a member
  validDays: 30,
  warnDays: 7, // before the end
  keptDays: 30, // after the end, for the lists
  deviceMax: 24, // characters of the device's name
  rate: { limit: 20, windowMs: HOUR_MS }, // of a member: profiles, and links to them
  linkMinutes: 5,
  endMs: 13 * HOUR_MS, // for which a server that is away is still asked to end a session; it renews each in 12 hours
} as const
