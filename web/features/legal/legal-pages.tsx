import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { navigation } from '#lib/navigation.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { type LegalKind, useBrand } from '#lib/session/brand.ts'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { useLegalText } from './api.ts'
import styles from './legal.module.css'

/* Pages of the terms of service and the privacy policy. */

/** Terms of service; retention periods as in directory 2. */
export function ClausePage() {
  return (
    <LegalPage kind="clause" title="服务条款">
      <h2>一、服务内容</h2>
      <p>我们通过本控制台为您提供智能组网及相关服务。您注册账号、登录或使用服务，即表示已阅读并同意本条款。</p>
      <h2>二、账号</h2>
      <p>请使用真实、有效的信息注册，并妥善保管账号与密码。主账号对其创建的子账号及软件成员的操作负责。</p>
      <p>发现账号被他人使用时，请立即修改密码并通过客服工单与我们联系。</p>
      <h2>三、使用规范</h2>
      <p>您应遵守所在地法律法规，不得利用本服务从事危害网络安全或侵害他人合法权益的活动。</p>
      <h2>四、产品与升级</h2>
      <p>产品自购买之日起 3 年内免费升级。</p>
      <h2>五、费用与余额</h2>
      <p>服务按所购内容与有效期计费。服务到期或配额不足时，超出部分的组网将暂停，续费或移除多余成员后恢复。</p>
      <p>账号余额无人认领的，我们将在 180 天后发出通知；满 18 个月仍无人认领的，余额将被冻结。</p>
      <h2>六、服务中断</h2>
      <p>因不可抗力、运营商线路故障或计划内维护造成的中断，我们将尽快恢复并通过公告告知。</p>
      <p>服务连续中断达到 72 小时的，任何一方均可终止服务。</p>
      <h2>七、条款变更</h2>
      <p>本条款变更时，我们会在平台公告中说明。变更后继续使用服务，视为接受变更后的条款。</p>
    </LegalPage>
  )
}

/** Privacy policy; its commitments are those of directory 2. */
export function PrivacyPage() {
  return (
    <LegalPage kind="privacy" title="隐私政策">
      <h2>一、我们收集的信息</h2>
      <p>注册与登录所需的用户名、昵称、手机号码、邮箱；您主动填写的生日、行业与职业。</p>
      <p>提供服务所需的设备型号、序列号、版本、网络地址、在线状态与流量统计。我们不读取您在组网中传输的内容。</p>
      <p>为保障安全而记录的登录、连接与操作日志。</p>
      <h2>二、我们如何使用</h2>
      <p>用于身份验证、组网配置下发、状态展示、告警通知、故障排查与安全审计，不作其他用途。</p>
      <h2>三、存储与保护</h2>
      <p>密码以不可逆方式保存，目录与通知渠道的密钥加密保存且不再显示。访问均有权限控制与审计记录。</p>
      <h2>四、共享</h2>
      <p>除发送短信与邮件所必需的服务商、您自行配置的通知渠道，以及法律要求外，我们不向第三方提供您的信息。</p>
      <h2>五、您的权利</h2>
      <p>您可以在用户中心查询、更正账号信息，也可以通过客服工单申请删除信息或注销账号。</p>
      <p>我们将在收到请求后 15 天内答复。</p>
      <h2>六、未成年人</h2>
      <p>未满 18 周岁的用户，须在监护人同意后使用本服务。</p>
    </LegalPage>
  )
}

interface LegalPageProps {
  readonly kind: LegalKind
  readonly title: string
  /** Text of the console itself. */
  readonly children: ReactNode
}

/** Legal text of the host: that of the console, a file of its own, or a link to its address. */
function LegalPage({ kind, title, children }: LegalPageProps) {
  const source = useBrand().terms?.[kind]
  return (
    <article className={styles.article}>
      <h1>{title}</h1>
      {source === undefined ? (
        <NothingYet
          title={`本站未提供${title}`}
          hint="如需了解，请联系您的服务商。"
          action={<Button onClick={() => navigation.assign(publicPaths.home)}>返回首页</Button>}
        />
      ) : source === 'console' ? (
        children
      ) : source.startsWith('https:') ? (
        <p>
          本站的{title}见 <a href={source}>{source}</a>
        </p>
      ) : (
        <TextFile path={source} />
      )}
    </article>
  )
}

function TextFile({ path }: { readonly path: string }) {
  const { data, error, mutate } = useLegalText(path)
  if (data !== undefined) return <Markdown text={data} />
  return error === undefined ? <Skeleton /> : <FailedPart error={error} onRetry={mutate} />
}
