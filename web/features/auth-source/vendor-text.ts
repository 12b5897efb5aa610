import type { AuthSourceType } from '#contract/auth-source/index.ts'

/* Texts of the auth-source vendors: names, field labels and places in their consoles. */

/** The last three are the places in the vendor's console where the administrator enters our addresses. */
export const VENDOR = {
  wechat: {
    name: '企业微信',
    mark: '企',
    appId: '企业ID',
    appIdHelp: '管理后台“我的企业”中的企业ID，以ww开头',
    whiteIp: '应用详情 → 企业可信IP',
    authDomain: '应用详情 → 企业微信授权登录 → 授权回调域，以及网页授权及JS-SDK → 可信域名',
    redirectUri: '',
  },
  feishu: {
    name: '飞书',
    mark: '飞',
    appId: 'App ID',
    appIdHelp: '开发者后台“凭证与基础信息”中的App ID，以cli_开头',
    whiteIp: '安全设置 → IP白名单（可选）',
    authDomain: '',
    redirectUri: '安全设置 → 重定向URL',
  },
  dingtalk: {
    name: '钉钉',
    mark: '钉',
    appId: 'AppKey（Client ID）',
    appIdHelp: '开发者后台应用的“凭证与基础信息”',
    whiteIp: '安全设置 → 服务器出口IP',
    authDomain: '',
    redirectUri: '安全设置 → 重定向URL（回调域名）',
  },
} satisfies Record<AuthSourceType, object>

export const TYPE_OPTIONS = (['wechat', 'feishu', 'dingtalk'] as const).map((value) => ({
  value,
  label: VENDOR[value].name,
}))
