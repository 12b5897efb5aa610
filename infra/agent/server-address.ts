/* Check of the server address that an agent is given. */

/** Addresses of this machine: nobody else can listen there. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Problem of an agent's server address, or null. Without TLS somebody on the path could pose as the hub. */
export function serverProblem(server: string, isInsecure: boolean): string | null {
  const url = URL.parse(server)
  if (!url || !/^https?:$/.test(url.protocol)) return `--server ${server}: expected http(s)://…`
  if (url.protocol === 'https:' || isInsecure || LOOPBACK.test(url.hostname)) return null
  return `--server ${server}: http is refused but for this machine; use https, or --insecure on a line that nobody else can reach`
}
