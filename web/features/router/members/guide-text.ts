import { CLIENT_PAGE_PATH } from '#contract/client/profiles.ts'

/** Text for the person of a software member, without a secret: the console's host is the account's. */
export const guideText = (routerName: string, origin = location.origin): string =>
  [
    '用手机或电脑接入组网：',
    `1. 在浏览器打开 ${origin}${CLIENT_PAGE_PATH}`,
    `2. 用账号 ${routerName} 登录，也可用手机验证码或企业账号登录`,
    '3. 选择组网，填写设备名称，下载接入配置',
    '4. 安装 OpenVPN Connect（发布者 OpenVPN Inc.），用它打开该文件并连接',
  ].join('\n')
