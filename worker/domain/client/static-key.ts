/** Text of a static key (`-----BEGIN OpenVPN Static key V1-----`), from 2048 bits in hex. */
export const toStaticKey = (hex: string): string =>
  [
    '-----BEGIN OpenVPN Static key V1-----',
    ...(hex.match(/.{32}/g) ?? []),
    '-----END OpenVPN Static key V1-----',
    '',
  ].join('\n')
