import { fireEvent, screen } from '@testing-library/react'
import { AUTH_SOURCE_TYPES } from '#contract/auth-source/index.ts'
import { RECOVERY_WAYS } from '#contract/verify/index.ts'
import { WEBHOOK_TYPES } from '#contract/kernel/outside.ts'
import { ApiError } from '#lib/call/transport.ts'
import { BindEmailDialog, BindPhoneDialog } from '#pages/account/contact/bind-dialog.tsx'
import { EmailPage, PhonePage } from '#pages/account/contact/contact-pages.tsx'
import { PasswordPage } from '#pages/account/contact/password-page.tsx'
import { ProfilePage } from '#pages/account/overview/profile-page.tsx'
import { DisableTotpDialog, EnableTotpDialog } from '#pages/account/security/factor-dialogs.tsx'
import { SourceDialog } from '#pages/auth-source/source-dialog.tsx'
import { ContactDialog } from '#pages/contacts/contact-dialog.tsx'
import { LdapEditPage } from '#pages/ldap/edit/ldap-edit-page.tsx'
import { SyncModeDialog } from '#pages/ldap/overview/sync-mode-dialog.tsx'
import { LoginPage } from '#pages/login/login-page.tsx'
import { EnrolForm } from '#pages/login/second-step/enrol-form.tsx'
import { SecondStep } from '#pages/login/second-step/second-step.tsx'
import { ContactsDialog } from '#pages/monitor/settings/contacts-dialog.tsx'
import { MuteDialog } from '#pages/monitor/settings/mute-dialog.tsx'
import { SettingPanels } from '#pages/monitor/settings/setting-panels.tsx'
import { WebhookDialog } from '#pages/monitor/settings/webhook-dialog.tsx'
import { RoleDialog } from '#pages/ram-role/role-dialog.tsx'
import { PasswordDialog } from '#pages/ram/password-dialog.tsx'
import { CreateRamDialog, EditRamDialog } from '#pages/ram/ram-dialogs.tsx'
import { RegisterPage } from '#pages/register/register-page.tsx'
import { ResetPage } from '#pages/reset/reset-page.tsx'
import { Appraisal } from '#pages/ticket/appraisal.tsx'
import { ReplyBox } from '#pages/ticket/reply-box.tsx'
import { TicketCreatePage } from '#pages/ticket/ticket-create-page.tsx'
import { LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { CONFIG as MONITORING, WEBHOOK } from '#tests/web/monitor/open-monitor.tsx'
import { fillIn, type FormCase, inStates, proceed } from './open-form.tsx'
import { MEMBER_FORMS } from './member-forms.tsx'
import { NETWORK_FORMS } from './network-forms.tsx'
import { SaveViewDialog } from '#ui/table/views/save-view-dialog.tsx'

const close = () => {}
const LDAP = (over: object): FormCase => ({
  page: () => <LdapEditPage />,
  address: '/page?ldapType=edit',
  handlers: { ...LDAP_REPLIES, 'ldap/config': { data: { ...LDAP_REPLIES['ldap/config'].data, ...over } } },
})
const PROFILE = { account: 'demo01', nickname: '启明', birthday: '1990-01-31', industry: 'I13', occupation: '工程师' }
const SETUP = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x', setup: 's1' }
const RAM = { id: 1, username: 'ops', nickname: '值班', role_id: 1 } as never
const TICKET = { ticket_number: 'T1', ticket_status: 3, appraise: null } as never

/** Through the identity step of a wizard. */
const toValueStep = (label: string) => async () => {
  await fillIn({ 验证码: '123456' })
  await proceed(label)
}
const toRecovery = async () => {
  await fillIn({ 用户名: 'demo01', 验证码: 'AB2C' })
  fireEvent.click(screen.getByRole('button', { name: '下一步' }))
  await screen.findByText('验证方式')
}
const RECOVERY = {
  'verify/find_password': { data: { uniqid: 'rec', ...RECOVERY_WAYS } },
  'verify/authentication': { data: { phone: '+86 138****0000', email: '' } },
}
const IDENTITY = { 'verify/verify': {}, 'account/info': { code: 500 } }
const bySecondStep = (refusal: ApiError) => <SecondStep refusal={refusal} onDone={close} onBack={close} />
const press = (name: string) => async () => void fireEvent.click(await screen.findByRole('button', { name }))

const ACCOUNT_FORMS = [
  ...inStates('first phone', {
    'without a code': { page: () => <BindPhoneDialog onClose={close} /> },
  }),
  ['first e-mail, without a code', { page: () => <BindEmailDialog onClose={close} /> }],
  ['identity step of a wizard', { page: () => <PhonePage /> }],
  ['new phone', { page: () => <PhonePage />, handlers: IDENTITY, reach: toValueStep('新手机号码') }],
  [
    'new e-mail',
    { page: () => <EmailPage />, handlers: IDENTITY, user: { user_email: 'z***@q.cn' }, reach: toValueStep('新邮箱') },
  ],
  ['new password', { page: () => <PasswordPage />, handlers: IDENTITY, reach: toValueStep('新密码') }],
  ['profile', { page: () => <ProfilePage />, handlers: { 'account/data': { data: PROFILE } } }],
  [
    'second factor on',
    { page: () => <EnableTotpDialog onClose={close} />, handlers: { 'account/totp_setup': { data: SETUP } } },
  ],
  ...inStates('second factor off', {
    'by a code': { page: () => <DisableTotpDialog onClose={close} /> },
    'by a recovery code': { page: () => <DisableTotpDialog onClose={close} />, reach: press('使用恢复码') },
  }),
  [
    'saved view',
    {
      page: () => <SaveViewDialog list="router" query="" onClose={close} />,
      handlers: { 'account/views': { data: [] } },
    },
  ],
  ['registration', { page: () => <RegisterPage /> }],
  ['sign-in', { page: () => <LoginPage /> }],
  ...inStates('second step of a sign-in', {
    'by a code': { page: () => bySecondStep(new ApiError(401, '', { reason: 'TOTP_REQUIRED', ticket: 't1' })) },
    'by a recovery code': {
      page: () => bySecondStep(new ApiError(401, '', { reason: 'TOTP_REQUIRED', ticket: 't1' })),
      reach: press('使用恢复码'),
    },
  }),
  [
    'enrolment at a sign-in',
    {
      page: () => <EnrolForm ticket="t1" run={(send) => send()} onDone={close} links={null} />,
      handlers: { 'login/totp_setup': { data: SETUP } },
    },
  ],
  ...inStates('recovery', {
    account: { page: () => <ResetPage /> },
    identity: { page: () => <ResetPage />, handlers: RECOVERY, reach: toRecovery },
    password: {
      page: () => <ResetPage />,
      handlers: RECOVERY,
      reach: async () => {
        await toRecovery()
        await toValueStep('新密码')()
      },
    },
  }),
] satisfies readonly (readonly [string, FormCase])[]

const COMPANY_FORMS = [
  ...inStates('LDAP', {
    'public, StartTLS, public CA': LDAP({ mode: 'public', use_ssl: 0, use_tls: 1, public_ca: 1 }),
    'public, own CA': LDAP({ mode: 'public', use_ssl: 1, use_tls: 0, public_ca: 0 }),
    'private, plain': LDAP({ mode: 'private', use_ssl: 0, use_tls: 0, public_ca: 0 }),
  }),
  ['LDAP, way of sync', { page: () => <SyncModeDialog syncMode={1} onClose={close} /> }],
  ...AUTH_SOURCE_TYPES.map((type): readonly [string, FormCase] => [
    `auth source, ${type}`,
    { page: () => <SourceDialog source={null} config={undefined} onClose={close} />, start: { type } },
  ]),
  [
    'auth source, own domain',
    {
      page: () => <SourceDialog source={null} config={undefined} onClose={close} />,
      start: { auth_domain: 'oa.acme.cn' },
    },
  ],
  ['contact', { page: () => <ContactDialog contact={null} onClose={close} /> }],
  ...inStates('role', {
    'of all networks': { page: () => <RoleDialog role={null} onClose={close} />, start: { scope: 'all' } },
    'of some networks': { page: () => <RoleDialog role={null} onClose={close} />, start: { scope: 'listed' } },
  }),
  ['sub-account', { page: () => <CreateRamDialog suffix="qiming" onClose={close} /> }],
  ['sub-account, edited', { page: () => <EditRamDialog ram={RAM} suffix="qiming" onClose={close} /> }],
  ['own password', { page: () => <PasswordDialog onClose={close} /> }],
] satisfies readonly (readonly [string, FormCase])[]

const webhook = (over: object): FormCase => ({
  page: () => <WebhookDialog config={{ ...WEBHOOK, ...over } as never} onClose={close} />,
})
const monitoring = (over: object): FormCase => ({
  page: () => <SettingPanels config={{ ...MONITORING, ...over } as never} />,
  handlers: { 'webhook/config': { data: WEBHOOK }, 'monitor/routers': { data: [] } },
})
const CONTACT = { uuid: 'c1', name: '值班', email: 'a@b.cn', email_verify: 1, re_email_verify: 1 } as never

const WATCH_FORMS = [
  ...WEBHOOK_TYPES.flatMap((type) => [
    [`webhook, ${type}`, webhook({ type, url: '', has_secret: 0 })] as const,
    [`webhook, ${type}, with a secret`, webhook({ type })] as const,
  ]),
  ...inStates('monitoring', {
    'everything off': monitoring({ router_offline: 0, service_expired: 0 }),
    'rules on, quiet hours, some members': monitoring({
      router_online: 1,
      email_confirm: 1,
      all_routers: 0,
      quiet: { on: 1, start: 1320, end: 480 },
    }),
  }),
  [
    'contacts of alerts',
    {
      page: () => (
        <ContactsDialog all={[CONTACT]} chosen={{ contacts: [], escalation: [] }} onChoose={close} onClose={close} />
      ),
    },
  ],
  ...['router', 'network', 'all'].map((kind): readonly [string, FormCase] => [
    `mute, ${kind}`,
    { page: () => <MuteDialog onClose={close} />, start: { kind } },
  ]),
  ['ticket', { page: () => <TicketCreatePage /> }],
  ...inStates('reply', {
    'by text': { page: () => <ReplyBox number="T1" /> },
    'with a snapshot': { page: () => <ReplyBox number="T1" />, reach: press('附诊断快照') },
  }),
  ['appraisal', { page: () => <Appraisal ticket={TICKET} /> }],
] satisfies readonly (readonly [string, FormCase])[]

type Forms = readonly (readonly [name: string, opened: FormCase])[]

/** Every form of the console in each of its states, by subject. Those of the settings of networks follow their table. */
export const FORMS: readonly (readonly [subject: string, forms: Forms])[] = [
  ['the account', ACCOUNT_FORMS],
  ['the company', COMPANY_FORMS],
  ['alerts and tickets', WATCH_FORMS],
  ['members', MEMBER_FORMS],
  ['networks', NETWORK_FORMS],
]
