import { type Socket, connect } from 'node:net'

/** As much of MQTT 3.1.1 as the measurement needs: connect, subscribe and publish at QoS 0. */
export interface MqttClient {
  publish(topic: string, payload: string): void
  subscribe(topic: string): void
  close(): void
}

const CONNECT = 0x10
const PUBLISH = 0x30
const SUBSCRIBE = 0x82
const CONNACK = 0x20

export function mqttClient(port: number, id: string, onPublish: (bytes: number) => void): Promise<MqttClient> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.once('error', reject)
    socket.once('connect', () => {
      const header = Buffer.from([0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 60]) // "MQTT", level 4, clean session, 60 s
      socket.write(packet(CONNECT, Buffer.concat([header, text(id)])))
    })
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = readPackets(Buffer.concat([rest, chunk]), (kind, body) => {
        if (kind === CONNACK) resolve(client)
        if ((kind & 0xf0) === PUBLISH) onPublish(body.length)
      })
    })
    const client: MqttClient = {
      publish: (topic, payload) => socket.write(packet(PUBLISH, Buffer.concat([text(topic), Buffer.from(payload)]))),
      subscribe: (topic) =>
        socket.write(packet(SUBSCRIBE, Buffer.concat([Buffer.from([0, 1]), text(topic), Buffer.from([0])]))),
      close: () => socket.destroy(),
    }
  })
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

function packet(kind: number, body: Buffer): Buffer {
  const length: number[] = []
  let left = body.length
  do {
    length.push((left & 127) | (left > 127 ? 128 : 0))
    left >>= 7
  } while (left > 0)
  return Buffer.concat([Buffer.from([kind, ...length]), body])
}

/** Calls back for each whole packet and returns what is left over. */
function readPackets(bytes: Buffer, onPacket: (kind: number, body: Buffer) => void): Buffer {
  let at = 0
  for (;;) {
    let length = 0
    let size = 1
    for (; size <= 4; size++) {
      const byte = bytes[at + size]
      if (byte === undefined) return bytes.subarray(at)
      length += (byte & 127) << (7 * (size - 1))
      if (byte < 128) break
    }
    const start = at + size + 1
    if (start + length > bytes.length) return bytes.subarray(at)
    onPacket(bytes[at] ?? 0, bytes.subarray(start, start + length))
    at = start + length
  }
}
