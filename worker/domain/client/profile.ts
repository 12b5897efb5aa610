import { type ProfileRow, type ProfileState } from '#contract/client/profiles.ts'
import { CLIENT_PROFILE } from '#contract/client/limits.ts'
import { DAY_MS, dateText } from '#contract/kernel/time.ts'

/* States of profiles of software members, and the name of their files. */

export interface StoredProfile {
  readonly credentialVersion: number
  readonly routerName: string
  readonly expiresAt: number
  readonly revokedAt: number | null
  /** Of the member, as they are now. */
  readonly memberName: string
  readonly memberVersion: number
}

/** True unless the profile was revoked, or its member has another password or login name since. */
const isUnrevoked = (profile: StoredProfile): boolean =>
  profile.revokedAt === null &&
  profile.credentialVersion === profile.memberVersion &&
  profile.routerName.toLowerCase() === profile.memberName.toLowerCase()

export const isProfileOpen = (profile: StoredProfile, now: number): boolean =>
  isUnrevoked(profile) && profile.expiresAt > now

export function toProfileState(profile: StoredProfile, now: number): ProfileState {
  if (!isUnrevoked(profile)) return 'revoked'
  if (profile.expiresAt <= now) return 'expired'
  return profile.expiresAt - now > CLIENT_PROFILE.warnDays * DAY_MS ? 'valid' : 'ending'
}

interface ListedProfile extends StoredProfile {
  readonly id: number
  readonly networkNumber: string
  readonly networkName: string
  readonly deviceName: string
  readonly issuedAt: number
  readonly lastDialAt: number | null
}

export const toProfileRow = (profile: ListedProfile, now: number): ProfileRow => ({
  profile_id: profile.id,
  network_number: profile.networkNumber,
  network_name: profile.networkName,
  device_name: profile.deviceName,
  create_time: profile.issuedAt,
  expire_time: profile.expiresAt,
  last_dial_time: profile.lastDialAt,
  state: toProfileState(profile, now),
})

/** Characters that a file system refuses in a name. */
const UNSAFE = /[\p{C}\\/:*?"<>|]/gu

export const profileFileName = (networkName: string, deviceName: string): string =>
  `${`${networkName}-${deviceName}`.replaceAll(UNSAFE, '_')}.ovpn`

export const profileMessage = (
  member: string,
  { deviceName, networkName }: { readonly deviceName: string; readonly networkName: string },
  done: string,
): string => `成员“${member}”在组网“${networkName}”的接入配置“${deviceName}”${done}`

type EndingProfile = Pick<ListedProfile, 'memberName' | 'networkName' | 'deviceName' | 'expiresAt'>

/** Profiles that a message names; it counts the others. */
const NAMED = 5

/** Site message about profiles of an account that end soon, the first to end first. */
export function endingMessage(profiles: readonly EndingProfile[]) {
  const named = profiles
    .slice(0, NAMED)
    .map(
      ({ memberName, networkName, deviceName, expiresAt }) =>
        `成员“${memberName}”的接入配置“${deviceName}”（组网“${networkName}”）将于 ${dateText(expiresAt)} 到期`,
    )
  const rest = profiles.length > NAMED ? `；另有${profiles.length - NAMED}个` : ''
  return {
    title: `${profiles.length}个接入配置即将到期`,
    content: `${named.join('；')}${rest}。到期后不能再用它拨入，请成员重新下载。`,
  }
}
