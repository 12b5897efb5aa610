export interface Brand {
  readonly name: string
  readonly address: string
  readonly sign: string
  /** First digit of its templates. */
  readonly digit: string
  readonly links: string
}
/** Expected brand of each host that an account may have. */
export const BRANDS: Readonly<Record<string, Brand>> = {
  'console.netloom.cn': {
    name: '织联',
    address: 'no-reply@netloom.cn',
    sign: '织联',
    digit: '1',
    links: 'console.netloom.cn',
  },
  'xingqiao.netloom.cn': {
    name: '星桥云专线控制台',
    address: 'no-reply@xingqiao.netloom.cn',
    sign: '星桥云',
    digit: '2',
    links: 'xingqiao.netloom.cn',
  },
  'qianfan.netloom.cn': {
    name: '千帆通',
    address: 'no-reply@qianfan.netloom.cn',
    sign: '千帆通',
    digit: '3',
    links: 'qianfan.netloom.cn',
  },
  'lantu.netloom.cn': {
    name: '蓝途',
    address: 'no-reply@lantu.netloom.cn',
    sign: '蓝途',
    digit: '4',
    links: 'lantu.netloom.cn',
  },
  unlisted: {
    name: '',
    address: 'no-reply@mail.netloom.cn',
    sign: '组网通知',
    digit: '9',
    links: 'console.netloom.cn', // some host must serve them
  },
}
export const NAMES = ['织联', 'Netloom', '星桥', '千帆', '蓝途']
