import { HOUR_MS } from '#contract/kernel/time.ts'

/** Client application of software members; all ours. */
export const CLIENT = {
  sessionsMax: 10, // open ones of a member: a further sign-in ends the oldest
  loginRate: { limit: 60, windowMs: HOUR_MS }, // successful sign-ins of a member: each leaves a session and a record
  phoneMembersMax: 50, // of one phone, to choose from
  oldSignDays: 30, // so long members still sign in by the suffix before
  oldSignsMax: 10, // of one account: suffixes that nobody else may take
  passwordMax: 128, // a directory's may be longer than ours
  versionMax: 32,
  systemMax: 64, // brand, model, version of the device
  capabilitiesMax: 32,
  capabilityMax: 32, // characters
} as const
