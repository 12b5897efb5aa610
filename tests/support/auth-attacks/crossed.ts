import { createRouter } from '../fixtures.ts'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { begin, challengeOf, openCallback, newVerifier, nextPhone, personOf, setMember } from '../auth-logins.ts'
import { FORMS, createSource } from '../auth-sources.ts'
import { nextAddress } from '../identity.ts'
import { type Attack, start, poll, otherCompany, deleteMember, confirm, asPerson } from './scene.ts'

export const CROSSED: readonly Attack[] = [
  [
    'the state of another account with a code of this one',
    'AUTH_VENDOR_REFUSED',
    async (scene) => {
      const other = await otherCompany(scene)
      const { type, name, app_id, ...rest } = FORMS[scene.company.type]
      await scene.worker.call(
        authSourceApi.edit,
        { ...rest, id: other.id, type, name, app_id: `${app_id}x` },
        other.main.token,
      )
      const theirs = await begin(scene.worker, other)
      const { state } = scene.worker.vendors.authorize(theirs.url, scene.person)
      await scene.openCallback({ ...scene.authorize(), state })
      return theirs.poll()
    },
  ],
  [
    'the state of another source of the account',
    'AUTH_VENDOR_REFUSED',
    async (scene) => {
      const { type } = scene.company
      const id = await createSource(scene.worker, scene.company.main, type, { name: '另一个', app_id: 'other-app' })
      const verifier = newVerifier()
      const { data } = await start(scene, { id, challenge: challengeOf(verifier) })
      const { state } = scene.worker.vendors.authorize(data.url, scene.person)
      await scene.openCallback({ ...scene.authorize(), state })
      return poll(scene, data.request_id, verifier)
    },
  ],
  [
    'the request of another account with the own verifier',
    'AUTH_REQUEST_BAD',
    async (scene) => {
      const other = await otherCompany(scene)
      const theirs = await begin(scene.worker, other)
      await scene.openCallback(scene.worker.vendors.authorize(theirs.url, personOf(other)))
      return poll(scene, theirs.request_id, scene.login.verifier)
    },
  ],
  [
    'the request of a colleague with the own verifier',
    'AUTH_REQUEST_BAD',
    async (scene) => {
      const theirs = await begin(scene.worker, scene.company)
      await scene.openCallback(scene.worker.vendors.authorize(theirs.url, scene.person))
      return poll(scene, theirs.request_id, scene.login.verifier)
    },
  ],
  [
    'a browser that comes back to another host',
    'AUTH_REQUEST_BAD',
    async (scene) => {
      const back = scene.authorize()
      await scene.openCallback({ ...back, to: new URL('/auth/callback', 'http://127.0.0.1') })
      return scene.login.poll()
    },
  ],
  [
    'a code that was issued for another address',
    'AUTH_VENDOR_REFUSED',
    async (scene) => {
      const moved = new URL(scene.login.url)
      moved.searchParams.set('redirectUri', 'https://evil.example/auth/callback')
      const { code } = scene.worker.vendors.authorize(moved.href, scene.person)
      await scene.openCallback({ ...scene.authorize(), code })
      return scene.login.poll()
    },
  ],
  [
    'a link that was sent to somebody in another network, who does not confirm',
    'pending',
    async (scene) => (await openCallback(scene.worker, scene.authorize(), nextAddress()), scene.login.poll()),
  ],
  [
    'a link that was sent to a colleague behind the same address, who does not confirm',
    'pending',
    async (scene) => (await scene.openOnly(scene.authorize()), scene.login.poll()),
  ],
  [
    'a link that was sent to a colleague in the same /64, who does not confirm',
    'pending',
    async ({ worker, company, person }) => {
      const login = await begin(worker, company, '2001:db8:7:1::20')
      await openCallback(worker, worker.vendors.authorize(login.url, person), '2001:db8:7:1::99')
      return login.poll()
    },
  ],
  [
    'a confirmation with another token',
    'pending',
    async (scene) => {
      const { state } = scene.authorize()
      await scene.openOnly(scene.authorize())
      await confirm(scene, '0'.repeat(32), 'yes')
      await confirm(scene, state, 'yes')
      return scene.login.poll()
    },
  ],
  [
    'a confirmation from another site',
    'pending',
    async (scene) => {
      const page = await scene.openOnly(scene.authorize())
      const token = /name="token" value="(\w+)"/.exec(page)?.[1] ?? ''
      const headers = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }
      await scene.worker.request('/auth/confirm', { method: 'POST', headers, body: `token=${token}&answer=yes` })
      await scene.worker.request(`/auth/confirm?token=${token}&answer=yes`)
      return scene.login.poll()
    },
  ],
  [
    'the confirmation’s token as state',
    'pending',
    async (scene) => {
      const page = await scene.openOnly(scene.authorize())
      const token = /name="token" value="(\w+)"/.exec(page)?.[1] ?? ''
      await scene.openCallback({ ...scene.authorize(), state: token })
      return scene.login.poll()
    },
  ],
  [
    'a scanner that only asks for the head of the address',
    'pending',
    async (scene) => {
      const { code, state } = scene.authorize()
      await scene.worker.request(`/auth/callback?${new URLSearchParams({ code, state })}`, { method: 'HEAD' })
      return scene.login.poll()
    },
  ],
]

export const FOREIGN: readonly Attack[] = [
  ['nobody’s id', 'AUTH_MEMBER_OUTSIDER', asPerson({ userId: '' })],
  ['a phone that no member has', 'AUTH_MEMBER_NONE', asPerson({ phone: '13700000000' })],
  ['the phone under another dial code', 'AUTH_MEMBER_NONE', asPerson({ areaCode: '852' })],
  ['a part of the phone', 'AUTH_MEMBER_NONE', asPerson({ phone: '1390000' })],
  ['the phone with a wildcard', 'AUTH_MEMBER_NONE', asPerson({ phone: '139%' })],
  [
    'the phone of another account’s member',
    'AUTH_MEMBER_NONE',
    async (scene) => asPerson({ phone: (await otherCompany(scene)).phone })(scene),
  ],
  ['the phone of two members', 'AUTH_MEMBER_MANY', asPerson({}, ({ company }) => company.addMember(company.phone))],
  ['a disabled member', 'AUTH_MEMBER_NONE', asPerson({}, ({ company }) => setMember(company.member.id, { status: 0 }))],
  ['a deleted member', 'AUTH_MEMBER_NONE', asPerson({}, deleteMember)],
  [
    'a member that has another phone now',
    'AUTH_MEMBER_NONE',
    asPerson({}, ({ company }) => setMember(company.member.id, { phone: nextPhone() })),
  ],
  [
    'a hardware member of that phone',
    'AUTH_MEMBER_NONE',
    asPerson({}, async ({ company }) => {
      await setMember(company.member.id, { phone: null })
      await createRouter(company.main.accountId, { phone: company.phone })
    }),
  ],
]
