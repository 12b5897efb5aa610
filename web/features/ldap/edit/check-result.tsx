import { dateText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { TableScroll } from '#ui/table/table-rows.tsx'
import type { CheckReply } from '../api.ts'
import { serverWord } from '../ldap-text.ts'
import styles from './ldap-form.module.css'

interface CheckResultProps {
  readonly reply: CheckReply
  readonly notices: readonly string[]
}

/** Result of a successful check, with the first users as they would be imported. */
export function CheckResult({ reply: { server, tls, certificate, count, sample }, notices }: CheckResultProps) {
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
              {sample.map(({ username, note, phone, verify }) => (
                <tr key={username}>
                  <td>{username}</td>
                  <td>{note || '—'}</td>
                  <td>{phone || '—'}</td>
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
