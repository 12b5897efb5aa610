import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#lib/call/call.ts'
import { dateText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { FormNotes } from '#ui/layout/form-notes.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TableScroll } from '#ui/table/table-rows.tsx'
import { type CheckReply, type LdapConfig, useCheck, useLdapConfig, useSave } from '../api.ts'
import { serverWord } from '../ldap-text.ts'
import { AccountFields, AdvancedFields, MembershipFields } from './account-fields.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import styles from './ldap-form.module.css'
import { EDIT_FORMS, type EditForm, type EditSent, KEPT_FIELDS, toSent, toValues } from './ldap-form.ts'

/* Page that connects an LDAP directory or edits its configuration: check first, then save (directory 2, 4). */

const DomainDialog = lazyDialog(() => import('#ui/dialog/domain-dialog.tsx').then((m) => m.DomainDialog))

const CHECK_NOTE =
  '检测只连接目录服务器并读取几个用户作为示例，不改动成员。检测成功后才能保存，改动任何一项都要重新检测。'
const NOTES = {
  create: [
    CHECK_NOTE,
    '保存后在LDAP接入页点击“读取目录”，核对要导入的用户，确认后导入为软件成员。',
    '导入的成员用目录密码登录客户端，控制台不保存他们的密码。',
    '目录中停用的用户随同步停用；一次会停用很多成员时，同步停下来等待确认。',
  ],
  edit: [CHECK_NOTE, '配置变更后的首次同步先列出变化，确认后才写入成员。', '已导入的成员保持不变，直到下一次同步。'],
} as const

export function LdapEditPage() {
  const isCreate = useSearchParams()[0].get('ldapType') !== 'edit'
  const query = useLdapConfig(true)
  const config = query.data?.data
  const title = isCreate ? '启用LDAP接入' : '编辑LDAP配置'
  if (config !== undefined && isCreate !== (config === null))
    return <Navigate to={config === null ? paths.editLdap('create') : paths.ldap} replace />
  return (
    <>
      <PageHeader title={title} trail={[{ label: 'LDAP接入', to: paths.ldap }]} />
      {config === undefined ? (
        <Panel>
          {query.error === undefined ? <Skeleton /> : <FailedPart error={query.error} onRetry={query.mutate} />}
        </Panel>
      ) : (
        <FormNotes notes={NOTES[isCreate ? 'create' : 'edit']}>
          <LdapForm config={config} notices={query.data?.notice ?? []} />
        </FormNotes>
      )}
    </>
  )
}

interface Checked {
  readonly reply: CheckReply
  readonly notices: readonly string[]
}

function LdapForm({ config, notices }: { config: LdapConfig | null; notices: readonly string[] }) {
  const form: EditForm = useContractForm(EDIT_FORMS[config === null ? 'create' : 'edit'], toValues(config), {
    draft: { key: 'ldap', fields: KEPT_FIELDS },
  })
  const [checked, setChecked] = useChecked(form)
  const [proved, setProved] = useState(config?.mode === 'public' ? config.domain : null)
  const [proof, setProof] = useState<{ readonly domain: string; readonly fileName: string } | null>(null)
  const [check, save] = [useCheck(), useSave()]
  const navigate = useNavigate()
  const isSaved = save.data !== undefined
  useLeaveGuard(form.formState.isDirty && !isSaved)
  useEffect(() => {
    if (isSaved) void navigate(paths.ldap, { replace: true })
  }, [isSaved, navigate])

  const submit = async (values: EditSent) => {
    try {
      if (checked !== null) return void (await save.trigger(toSent(values)))
      const { data, notice } = await check.trigger(toSent(values))
      if (values.mode === 'public') setProved(values.domain)
      setChecked({ reply: data, notices: notice })
    } catch (error) {
      setChecked(null)
      if (error instanceof ApiError && error.reason === 'LDAP_DOMAIN_UNPROVED')
        setProof({ domain: values.domain, fileName: String(error.extra?.['file_name'] ?? '') })
      throw error
    }
  }
  return (
    <div className={styles.page}>
      <Form form={form} onSubmit={submit}>
        {notices.map((sentence) => (
          <Notice key={sentence} role="alert" tone="warn">
            {sentence}
          </Notice>
        ))}
        <FieldPanel title="连接">
          <ConnectionFields form={form} config={config} proved={proved} onProved={setProved} />
        </FieldPanel>
        <FieldPanel title="账号">
          <AccountFields form={form} isStored={config !== null} />
          <AdvancedFields form={form} />
        </FieldPanel>
        <FieldPanel title="关联与同步">
          <MembershipFields form={form} />
        </FieldPanel>
        {checked !== null && (
          <Panel title="检测结果">
            <CheckResult {...checked} />
          </Panel>
        )}
        {proof !== null && (
          <DomainDialog
            why="公网模式连接的目录服务器须属于您的企业。"
            {...proof}
            onVerified={() => {
              setProved(proof.domain)
              setProof(null)
              form.clearErrors('domain')
            }}
            onClose={() => setProof(null)}
          />
        )}
        <FormActions
          isSticky
          submitText={checked === null ? '检测' : '保存'}
          busy={form.busy}
          onCancel={() => void navigate(paths.ldap)}
        />
      </Form>
    </div>
  )
}

const FieldPanel = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Panel title={title}>
    <div className="nl-form">{children}</div>
  </Panel>
)

/** A check holds for the checked values only: any edit resets it. */
function useChecked({ watch }: EditForm) {
  const [checked, setChecked] = useState<Checked | null>(null)
  useEffect(() => {
    const { unsubscribe } = watch((_, { type }) => {
      if (type === 'change') setChecked(null)
    })
    return unsubscribe
  }, [watch])
  return [checked, setChecked] as const
}

function CheckResult({ reply: { server, tls, certificate, count, sample }, notices }: Checked) {
  const facts: readonly Fact[] = [
    { label: '目录类型', value: serverWord(server) },
    { label: '加密', value: tls === '' ? '未加密' : `TLS ${tls}` },
    ...(certificate === null
      ? []
      : [
          { label: '服务器证书', value: certificate.subject },
          { label: '证书到期', value: dateText(certificate.expire_time) },
        ]),
    { label: '用户', value: `${countText(count)} 个` },
  ]
  return (
    <>
      <Notice role="status">检测成功，请核对后保存配置</Notice>
      {notices.map((sentence) => (
        <Notice key={sentence} role="alert" tone="warn">
          {sentence}
        </Notice>
      ))}
      <Facts facts={facts} />
      {sample.length > 0 && (
        <TableScroll tabIndex={0} role="region" aria-label="用户示例">
          <table className={`nl-table ${styles.sample}`}>
            <thead>
              <tr>
                <th scope="col">成员名称</th>
                <th scope="col">备注</th>
                <th scope="col">手机号</th>
                <th scope="col">检查结果</th>
              </tr>
            </thead>
            <tbody>
              {sample.map(({ username, note, phone, phone_left, verify }) => (
                <tr key={username}>
                  <td>{username}</td>
                  <td>{note || '—'}</td>
                  <td>{phone || phone_left || '—'}</td>
                  <td>{verify}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </>
  )
}
