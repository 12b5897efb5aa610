import * as z from 'zod'
import { EXAMPLE_PROFILE, profileId, profileRow } from '#contract/client/profiles.ts'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { routerName } from '#contract/kernel/fields.ts'

/* Endpoints of the account on the profiles of its software members. */

const member = z.object({ router_name: routerName })

export const profiles = {
  profiles: read('router/profiles', 'session', {
    summary: 'Profiles that a software member made, newest first, in the networks that the caller sees',
    input: member,
    output: z.array(profileRow),
    example: { router_name: EXAMPLE.router_name },
  }),
  revokeProfile: write('router/revoke_profile', 'router:edit', {
    summary: 'Revoke a profile of a software member: its tunnel ends at once and does not come back',
    input: member.extend({ profile_id: profileId }),
    done: 'revoked',
    refreshes: ['router/profiles'],
    example: { router_name: EXAMPLE.router_name, ...EXAMPLE_PROFILE },
  }),
} as const
