/** Bytes to and from a directory: a TCP socket, a router's tunnel, or TLS over one of them. `read` answers null at the end. */
export interface Pipe {
  read(): Promise<Uint8Array | null>
  write(bytes: Uint8Array): Promise<void>
  close(reason?: string): void
}

/** Opens a connection to the directory; throws a DirectoryError. */
export type Dial = (target: { readonly host: string; readonly port: number }) => Promise<Pipe>
