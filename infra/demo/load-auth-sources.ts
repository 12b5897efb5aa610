import { authSourceApi } from '#contract/auth-source/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { FAKE_APPS } from '#tests/support/fakes/sign-in/desk.ts'
import type { Call } from '#infra/local/api.ts'

/** The account's applications at the three vendors, as the fakes of sign-in know them. */
export async function loadAuthSources(account: string, api: Call, ops: Call): Promise<void> {
  await ops(opsApi.setAccountFlags, { account, software_auth_source: 1 })
  const { wecom, feishu, dingtalk } = FAKE_APPS
  await api(authSourceApi.create, {
    type: 'wechat',
    name: '启明企业微信',
    app_id: wecom.appId,
    agent_id: wecom.agentId,
    app_secret: wecom.secret,
  })
  await api(authSourceApi.create, {
    type: 'feishu',
    name: '启明飞书',
    app_id: feishu.appId,
    app_secret: feishu.secret,
  })
  await api(authSourceApi.create, {
    type: 'dingtalk',
    name: '启明钉钉',
    app_id: dingtalk.appId,
    corp_id: dingtalk.corpId,
    app_secret: dingtalk.secret,
  })
}
