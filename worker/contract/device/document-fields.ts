import * as z from 'zod'
import { ENDPOINTS, LINK_ID_MAX } from './limits.ts'

/*
 * Fields of a router's document. Compiler and agent parse with the same grammar. A valid value is safe in a file name, a
 * configuration file and a command line: no blank, quote, slash, control character or leading dash.
 */

/** Serial of a device, or `name@suffix` of a software member; a directory has its own rules for the name. */
export const memberName = z
  .string()
  .max(64)
  .regex(/^(?:\w[\w-]*|[\w.][\w.-]*@[a-zA-Z0-9]+)$/)
export const documentNetworkNumber = z.string().regex(/^\w[\w-]{0,31}$/)
/** `<network number>:<client>><server>` (worker/domain/network/members/links.ts). */
export const documentLinkId = z
  .string()
  .max(LINK_ID_MAX)
  .regex(/^\w[\w-]*:[\w.][\w.@-]*>[\w.][\w.@-]*$/)
/** Key of a link: 16 to 64 bytes, hex. */
export const linkKey = z.string().regex(/^(?:[0-9a-f]{2}){16,64}$/)
export const address = z.ipv4()
export const segment = z.cidrv4()
const port = z.int().min(1).max(65_535)
/** Endpoint by address. */
export const linkEndpoint = z.object({ host: z.union([z.ipv4(), z.ipv6()]), port })
/** Name of the public DNS in lower case; its last label is no number, so it is no spelling of an address. */
export const hostName = z
  .string()
  .max(ENDPOINTS.hostMax)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
/** Target of a link. Only devices with the capability for names get one by name. */
export const linkTarget = z.object({ host: z.union([z.ipv4(), z.ipv6(), hostName]), port })
export const documentPort = z.int().min(1).max(65_535)
export const asn = z.int().min(0).max(4_294_967_295)
/** PEM text of one object (RFC 7468), as it is written to a file: no blank line, no other text. */
export const pem = (label: string, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(new RegExp(`^-----BEGIN ${label}-----\\n(?:[A-Za-z0-9+/=]{1,64}\\n)+-----END ${label}-----\\n$`))
/** Id of an authority: 128 random bits, hex. */
export const authorityId = z.string().regex(/^[0-9a-f]{32}$/)
/** Static key of the control channel: 2048 bits, hex. */
export const controlKey = z.string().regex(/^[0-9a-f]{512}$/)
