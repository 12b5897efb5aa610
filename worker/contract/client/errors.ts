import { doFirst, invalid, notFound, RESULT, tooOften, type ErrorEntry } from '#contract/kernel/result.ts'

/** Refusals of a software member's dials and profiles: part of the catalogue in errors.ts. The client shows them as they are. */
export const CLIENT_ERRORS = {
  DIAL_NOT_READY: doFirst('该组网的中心点尚未运行隧道，请联系管理员'),
  DIAL_PASSWORD: invalid('拨入不接受密码，请在客户端登录后再拨入'),
  DIAL_TOKEN_WRONG: invalid('拨入凭证不正确，请在客户端重新登录'),
  DIAL_TOKEN_EXPIRED: invalid('拨入凭证已过期，请重新拨入'),
  DIAL_TOKEN_REVOKED: invalid('账号已变更，请在客户端重新登录'),
  DIAL_PROFILE_OVER: invalid('接入配置已失效，请重新下载'),
  DIAL_NOT_MEMBER: invalid('该账号不在此组网中，请联系管理员'),
  DIAL_PENDING: tooOften('该账号的配置正在下发，请稍候重试'),
  DIAL_BUSY: tooOften('拨入请求较多，请稍候重试'),
  DIAL_AWAY: { code: RESULT.away, msg: '控制台暂时不可达，请稍后再试' }, // said by the centre itself
  DIAL_PAUSED: tooOften('拨入失败次数过多，请{minutes}分钟后重试'),
  CLIENT_PROFILE_SM: invalid('该组网使用国密算法，请使用 Linux 客户端'),
  CLIENT_PROFILE_LIMIT: invalid('该组网的接入配置已达上限{limit}个，请先吊销不用的配置'),
  CLIENT_PROFILE_OVER: notFound('接入配置不存在或已失效，请重新创建'),
  CLIENT_LINK_BAD: notFound('链接已失效，请重新生成'),
} as const satisfies Record<string, ErrorEntry>
