import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { displayText, lengthText, networkNumber, time } from '#contract/kernel/fields.ts'
import { CLIENT_PROFILE } from './limits.ts'

/* Profiles: files with which applications of others dial one network, for the member and for its account. */

/** `ending`: in its last days. `revoked`: also by another password or login name. */
const PROFILE_STATES = ['valid', 'ending', 'expired', 'revoked'] as const
export type ProfileState = (typeof PROFILE_STATES)[number]
export const PROFILE_STATE_NAME: Readonly<Record<ProfileState, string>> = {
  valid: '有效',
  ending: '即将到期',
  expired: '已到期',
  revoked: '已失效',
}

/** Page on which a member makes profiles, and its links for phones: the secret of a link follows. */
export const CLIENT_PAGE_PATH = '/client'
export const PROFILE_LINK_PATH = '/client/p/'

const profileDevice = displayText
  .min(1, '请填写设备名称')
  .max(CLIENT_PROFILE.deviceMax, lengthText('设备名称', CLIENT_PROFILE.deviceMax))
export const profileId = z.int().positive()

export const profileRow = z.object({
  profile_id: z.int(),
  network_number: z.string(),
  network_name: z.string(),
  device_name: z.string(),
  create_time: time,
  expire_time: time,
  last_dial_time: time.nullable(),
  state: z.enum(PROFILE_STATES),
})
export type ProfileRow = z.infer<typeof profileRow>

export const EXAMPLE_PROFILE = { profile_id: 1 } as const

export const clientProfiles = {
  profiles: read('client/profiles', 'client', {
    summary: 'Profiles of the signed-in member, newest first; those that are over for a month at most',
    input: z.object({ network_number: z.literal('').or(networkNumber).default('') }),
    output: z.array(profileRow),
  }),
  createProfile: write('client/create_profile', 'client', {
    summary: 'Makes a profile for one device and network; the answer is the file that an OpenVPN application imports',
    reply: 'file',
    input: z.object({ network_number: networkNumber, device_name: profileDevice }),
    output: z.unknown(),
    refreshes: ['client/profiles'],
    example: { network_number: EXAMPLE.network_number, device_name: '我的手机' },
  }),
  profileLink: write('client/profile_link', 'client', {
    summary: 'Address from which another device gets the file of a profile, once; it replaces an earlier one',
    input: z.object({ profile_id: profileId }),
    output: z.object({ url: z.string(), expires_in: z.int() }), // seconds
    example: EXAMPLE_PROFILE,
  }),
  revokeProfile: write('client/revoke_profile', 'client', {
    summary: 'Revoke a profile of the member: its tunnel ends at once and does not come back',
    input: z.object({ profile_id: profileId }),
    done: 'revoked',
    refreshes: ['client/profiles'],
    example: EXAMPLE_PROFILE,
  }),
} as const
