import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { RamTotpPanel } from './ram-totp-panel.tsx'
import { EndOthersButton, SignInList } from './sign-in-list.tsx'
import { TotpPanel } from './totp-panel.tsx'

/** Second factor and devices of a person; of the main account also those of its sub-accounts. */
export function SecurityPage() {
  const isMain = useUser().ram === 0
  const trail = isMain ? [{ label: '账号信息', to: paths.account() }] : []
  return (
    <FailureStrip>
      <PageHeader title="登录安全" trail={trail} />
      <TotpPanel />
      {isMain && <RamTotpPanel />}
      <Panel title="登录设备" actions={<EndOthersButton />}>
        <SignInList />
      </Panel>
    </FailureStrip>
  )
}
