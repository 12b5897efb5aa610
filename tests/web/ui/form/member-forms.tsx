import { BatchAddDialog } from '#pages/router/list/batch/batch-add-dialog.tsx'
import { BatchDeleteDialog } from '#pages/router/list/batch/batch-delete-dialog.tsx'
import { BulkNetworkDialog, BulkNoteDialog } from '#pages/router/list/batch/bulk-note-and-network-dialogs.tsx'
import { ClaimManyDialog } from '#pages/router/list/batch/claim-many-dialog.tsx'
import { ClaimDialog } from '#pages/router/list/claim-dialog.tsx'
import { SoftwareDialog } from '#pages/router/list/software-dialog.tsx'
import { EndpointsDialog } from '#pages/router/detail/endpoints-dialog.tsx'
import { ReplaceDialog } from '#pages/router/detail/replace-dialog.tsx'
import { createRouter } from '#tests/web/router/fixtures.ts'
import { BandwidthDialog } from '#ui/dialog/bandwidth-dialog.tsx'
import { SignDialog } from '#ui/member/account-suffix-dialog.tsx'
import { MemberNoteDialog } from '#ui/member/member-note-dialog.tsx'
import { MemberPasswordDialog } from '#ui/member/member-password-dialog.tsx'
import { PhoneDialog } from '#ui/member/phone-dialog.tsx'
import { StaticRoutesDialog } from '#ui/member/static-routes-dialog.tsx'
import { fillIn, type FormCase, inStates, submitButton } from './open-form.tsx'
import { fireEvent, screen } from '@testing-library/react'

/* Forms of members: added one by one or by a file, and changed. */

const close = () => {}
const router = createRouter('NL-1')
const software = { router_name: 'li.na@qiming', area_code: '86', phone: '' }
const ROUTE = { prefix: '10.9.0.0', mask: 24, via: '192.168.10.2' }
const withRoutes = (...static_routes: (typeof ROUTE)[]): FormCase => ({
  page: () => <StaticRoutesDialog routerName="NL-1" onClose={close} />,
  handlers: { 'router/info': { data: createRouter('NL-1', { static_routes }) } },
})
const withEndpoints = (...hosts: readonly string[]): FormCase => ({
  page: () => <EndpointsDialog info={router} onClose={close} />,
  handlers: { 'router/info': { data: createRouter('NL-1', { endpoints: hosts.map((host) => ({ host })) }) } },
})
const device = { router_name: 'NL-1', note: '', bandwidth: 10, max_bandwidth: 100, current_bandwidth: 10 }
const byNames = { names: ['NL-1', 'NL-2'], onDone: close, onClose: close }

const STEP_NEEDED = { code: 401, msg: '该手机号码已绑定其他成员', data: null }
/** Sends a phone that another member has, so that its code is asked for. */
const bindTaken = async () => {
  await fillIn({ 手机号码: '13800138000' })
  fireEvent.click(await submitButton())
  await screen.findByLabelText(/^短信验证码/, { selector: 'input' })
}
/** Sends a software member with such a phone. */
const addTaken = async () => {
  await fillIn({ 账号: 'li.na', 密码: 'Weilai26' })
  await bindTaken()
}

export const MEMBER_FORMS = [
  ...inStates('phone of a member', {
    'without a code': { page: () => <PhoneDialog info={software} onClose={close} /> },
    'with a code': {
      page: () => <PhoneDialog info={software} onClose={close} />,
      handlers: { 'router/phone': STEP_NEEDED },
      reach: bindTaken,
    },
  }),
  ['password of a member', { page: () => <MemberPasswordDialog info={software} onClose={close} /> }],
  ['note of a member', { page: () => <MemberNoteDialog info={router} onClose={close} /> }],
  ['suffix of the account', { page: () => <SignDialog sign="qiming" softwareCount={3} onClose={close} /> }],
  ...inStates('static routes', { 'none yet': withRoutes(), some: withRoutes(ROUTE) }),
  ...inStates('endpoints', { 'none yet': withEndpoints(), some: withEndpoints('vpn.example.com') }),
  [
    'bandwidth',
    {
      page: () => (
        <BandwidthDialog device={device} draftKey="b" check={() => null} save={async () => {}} onClose={close} />
      ),
    },
  ],
  ['replacement of a device', { page: () => <ReplaceDialog info={router} onClose={close} /> }],
  ...inStates('claim', {
    'not into a network': { page: () => <ClaimDialog addsIntoNetwork={false} onClose={close} /> },
    'into a network': { page: () => <ClaimDialog addsIntoNetwork onClose={close} /> },
  }),
  ...inStates('claim of many', {
    'not into a network': { page: () => <ClaimManyDialog addsIntoNetwork={false} onClose={close} /> },
    'into a network': { page: () => <ClaimManyDialog addsIntoNetwork onClose={close} /> },
  }),
  ...inStates('software member', {
    'not into a network': {
      page: () => <SoftwareDialog sign="qiming" canEditSign addsIntoNetwork={false} onClose={close} />,
    },
    'without a suffix': {
      page: () => <SoftwareDialog sign="" canEditSign={false} addsIntoNetwork onClose={close} />,
    },
    'with a code': {
      page: () => <SoftwareDialog sign="qiming" canEditSign addsIntoNetwork={false} onClose={close} />,
      handlers: { 'router/add': STEP_NEEDED },
      reach: addTaken,
    },
  }),
  ...inStates('members by a file', {
    'not into a network': { page: () => <BatchAddDialog addsIntoNetwork={false} onClose={close} /> },
    'into a network': { page: () => <BatchAddDialog addsIntoNetwork onClose={close} /> },
  }),
  ...['list', 'file'].map((mode): readonly [string, FormCase] => [
    `batch delete by ${mode}`,
    {
      page: () => <BatchDeleteDialog names={mode === 'list' ? ['a'] : []} onDeleted={close} onClose={close} />,
      start: { mode },
    },
  ]),
  ['note of several members', { page: () => <BulkNoteDialog {...byNames} /> }],
  ['network of several members', { page: () => <BulkNetworkDialog {...byNames} /> }],
] satisfies readonly (readonly [string, FormCase])[]
