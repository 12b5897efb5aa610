/** Vendors that a client can sign in with (document 3 §6). */
export const AUTH_SOURCE_TYPES = ['wechat', 'feishu', 'dingtalk'] as const
export type AuthSourceType = (typeof AUTH_SOURCE_TYPES)[number]
