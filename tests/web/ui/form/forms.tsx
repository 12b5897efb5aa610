import { waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { BindEmailDialog, BindPhoneDialog } from '#pages/account/contact/bind-dialog.tsx'
import { DisableTotpDialog } from '#pages/account/security/factor-dialogs.tsx'
import { ProfilePage } from '#pages/account/overview/profile-page.tsx'
import { AUTH_SOURCE_TYPES } from '#contract/auth-source/index.ts'
import { SourceDialog } from '#pages/auth-source/source-dialog.tsx'
import { ContactDialog } from '#pages/contacts/contact-dialog.tsx'
import { LdapEditPage } from '#pages/ldap/edit/ldap-edit-page.tsx'
import { LoginPage } from '#pages/login/login-page.tsx'
import { MuteDialog } from '#pages/monitor/settings/mute-dialog.tsx'
import { RoleDialog } from '#pages/ram-role/role-dialog.tsx'
import { CreateRamDialog } from '#pages/ram/ram-dialogs.tsx'
import { PasswordDialog } from '#pages/ram/password-dialog.tsx'
import { RegisterPage } from '#pages/register/register-page.tsx'
import { ResetPage } from '#pages/reset/reset-page.tsx'
import { BatchDeleteDialog } from '#pages/router/list/batch/batch-delete-dialog.tsx'
import { ClaimDialog } from '#pages/router/list/claim-dialog.tsx'
import { SoftwareDialog } from '#pages/router/list/software-dialog.tsx'
import { TicketCreatePage } from '#pages/ticket/ticket-create-page.tsx'
import { LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { MemberPasswordDialog } from '#ui/member/member-password-dialog.tsx'
import { PhoneDialog } from '#ui/member/phone-dialog.tsx'

const close = () => {}
const LDAP = (over: object) => ({
  ...LDAP_REPLIES,
  'network/select': { data: [] },
  'ldap/config': { data: { ...LDAP_REPLIES['ldap/config'].data, ...over } },
})
const member = { router_name: 'li.na@qiming', area_code: '86', phone: '' }

/** Form on a page or in a dialog: name, component, answers of the API, and start values of the form. */
type Row = readonly [name: string, page: () => ReactElement, handlers?: object, overrides?: object]
export const FORMS: readonly Row[] = [
  [
    'LDAP, public, StartTLS, public CA',
    () => <LdapEditPage />,
    LDAP({ mode: 'public', use_ssl: 0, use_tls: 1, public_ca: 1 }),
  ],
  ['LDAP, public, own CA', () => <LdapEditPage />, LDAP({ mode: 'public', use_ssl: 1, use_tls: 0, public_ca: 0 })],
  ['LDAP, private, plain', () => <LdapEditPage />, LDAP({ mode: 'private', use_ssl: 0, use_tls: 0, public_ca: 0 })],
  ...AUTH_SOURCE_TYPES.map((type): Row => [
    `auth source, ${type}`,
    () => <SourceDialog source={null} config={undefined} onClose={close} />,
    {},
    { type },
  ]),
  ...['router', 'network', 'all'].map((kind): Row => [
    `mute, ${kind}`,
    () => <MuteDialog onClose={close} />,
    {},
    { kind },
  ]),
  ['first phone, without a code', () => <BindPhoneDialog onClose={close} />],
  ['first e-mail, without a code', () => <BindEmailDialog onClose={close} />],
  ['phone of a member, without a code', () => <PhoneDialog info={member} onClose={close} />],
  ['password of a member', () => <MemberPasswordDialog info={member} onClose={close} />],
  ['registration', () => <RegisterPage />],
  ['recovery', () => <ResetPage />],
  ['sign-in', () => <LoginPage />],
  ['profile', () => <ProfilePage />, { 'account/data': { data: PROFILE() } }],
  ['second factor off', () => <DisableTotpDialog onClose={close} />],
  ['contact', () => <ContactDialog contact={null} onClose={close} />],
  ['role, of all networks', () => <RoleDialog role={null} onClose={close} />, {}, { scope: 'all' }],
  ['role, of some networks', () => <RoleDialog role={null} onClose={close} />, {}, { scope: 'listed' }],
  ['sub-account', () => <CreateRamDialog suffix="qiming" onClose={close} />],
  ['own password', () => <PasswordDialog onClose={close} />],
  ['claim, not into a network', () => <ClaimDialog addsIntoNetwork={false} onClose={close} />],
  [
    'software member, not into a network',
    () => <SoftwareDialog sign="qiming" canEditSign addsIntoNetwork={false} onClose={close} />,
  ],
  [
    'software member, without a suffix',
    () => <SoftwareDialog sign="" canEditSign={false} addsIntoNetwork onClose={close} />,
  ],
  [
    'batch delete by list',
    () => <BatchDeleteDialog names={['a']} onDeleted={close} onClose={close} />,
    {},
    { mode: 'list' },
  ],
  [
    'batch delete by file',
    () => <BatchDeleteDialog names={[]} onDeleted={close} onClose={close} />,
    {},
    { mode: 'file' },
  ],
  ['ticket', () => <TicketCreatePage />],
]

function PROFILE() {
  return { account: 'demo01', nickname: '启明', birthday: '1990-01-31', industry: 'I13', occupation: '工程师' }
}

/** Button that sends the form on the page. */
export async function submitButton(): Promise<HTMLElement> {
  return waitFor(() => {
    const button = document.querySelector<HTMLElement>('form button[type="submit"]')
    if (button === null) throw new Error('no form is shown')
    return button
  })
}
