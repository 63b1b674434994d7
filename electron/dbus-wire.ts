// The little of the D-Bus wire format that asking two questions takes: calls whose arguments are texts, and answers made
// of simple values. Pure.

export interface BusCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly body?: readonly string[]
}

export type BusValue = number | boolean | string
export interface BusMessage {
  readonly type: 'call' | 'return' | 'error' | 'signal'
  readonly replySerial: number | null
  readonly member: string
  readonly body: readonly BusValue[]
}

const TYPES = ['call', 'return', 'error', 'signal'] as const
const FIELD = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, signature: 8 } as const
const FIXED_HEADER = 16
/** The standard's own limit. */
const LARGEST_MESSAGE = 128 * 1_048_576

export function encodeCall(serial: number, call: BusCall): Buffer {
  const texts = call.body ?? []
  const body = new Writer()
  for (const text of texts) body.text(text)
  const fields = new Writer()
  const field = (code: number, type: string, value: string): void => {
    fields.align(8).byte(code).signature(type)
    if (type === 'g') fields.signature(value)
    else fields.text(value)
  }
  field(FIELD.path, 'o', call.path)
  field(FIELD.interface, 's', call.interface)
  field(FIELD.member, 's', call.member)
  field(FIELD.destination, 's', call.destination)
  if (texts.length > 0) field(FIELD.signature, 'g', 's'.repeat(texts.length))
  const list = fields.bytes()
  const head = new Writer()
  head.byte('l'.charCodeAt(0)).byte(1).byte(0).byte(1).uint32(body.bytes().length).uint32(serial).uint32(list.length)
  return Buffer.concat([head.bytes(), list, Buffer.alloc(padding(list.length, 8)), body.bytes()])
}

/** Takes whole messages from the front; what is left belongs to the next one. */
export function decodeMessages(bytes: Buffer): { messages: BusMessage[]; rest: Buffer } {
  const messages: BusMessage[] = []
  let rest = bytes
  while (rest.length >= FIXED_HEADER) {
    const little = rest[0] === 'l'.charCodeAt(0)
    const uint32 = (at: number): number => (little ? rest.readUInt32LE(at) : rest.readUInt32BE(at))
    const fieldsEnd = FIXED_HEADER + uint32(12)
    const bodyAt = fieldsEnd + padding(fieldsEnd, 8)
    const end = bodyAt + uint32(4)
    if (end > LARGEST_MESSAGE) throw new Error('The bus sent a message that is too long.')
    if (rest.length < end) break
    messages.push(decode(rest.subarray(0, end), little, fieldsEnd, bodyAt))
    rest = rest.subarray(end)
  }
  return { messages, rest }
}

function decode(message: Buffer, little: boolean, fieldsEnd: number, bodyAt: number): BusMessage {
  const fields = new Map<number, BusValue>()
  const reader = new Reader(message, little, FIXED_HEADER)
  while (reader.at < fieldsEnd) {
    reader.align(8)
    const code = reader.byte()
    const value = reader.value('v')
    if (value !== null) fields.set(code, value)
  }
  const replySerial = fields.get(FIELD.replySerial)
  return {
    type: TYPES[(message[1] ?? 1) - 1] ?? 'call',
    replySerial: typeof replySerial === 'number' ? replySerial : null,
    member: String(fields.get(FIELD.member) ?? ''),
    body: decodeBody(new Reader(message, little, bodyAt), String(fields.get(FIELD.signature) ?? '')),
  }
}

/** Up to the first value of a kind that is not needed here. */
function decodeBody(reader: Reader, signature: string): BusValue[] {
  const body: BusValue[] = []
  for (const type of signature) {
    const value = reader.value(type)
    if (value === null) break
    body.push(value)
  }
  return body
}

const padding = (length: number, to: number): number => (to - (length % to)) % to

class Writer {
  private readonly parts: Buffer[] = []
  private length = 0

  private add(part: Buffer): this {
    this.parts.push(part)
    this.length += part.length
    return this
  }
  align(to: number): this {
    return this.add(Buffer.alloc(padding(this.length, to)))
  }
  byte(value: number): this {
    return this.add(Buffer.from([value]))
  }
  uint32(value: number): this {
    const part = Buffer.alloc(4)
    part.writeUInt32LE(value)
    return this.align(4).add(part)
  }
  text(value: string): this {
    const part = Buffer.from(`${value}\0`, 'utf8')
    return this.uint32(part.length - 1).add(part)
  }
  signature(value: string): this {
    return this.byte(value.length).add(Buffer.from(`${value}\0`, 'latin1'))
  }
  bytes(): Buffer {
    return Buffer.concat(this.parts)
  }
}

class Reader {
  constructor(
    private readonly bytes: Buffer,
    private readonly little: boolean,
    public at: number,
  ) {}

  align(to: number): void {
    this.at += padding(this.at, to)
  }
  byte(): number {
    return this.bytes.readUInt8(this.at++)
  }
  private uint32(): number {
    this.align(4)
    const value = this.little ? this.bytes.readUInt32LE(this.at) : this.bytes.readUInt32BE(this.at)
    this.at += 4
    return value
  }
  private chars(length: number): string {
    const text = this.bytes.toString('utf8', this.at, this.at + length)
    this.at += length + 1
    return text
  }
  /** null for kinds that this reader does not know. */
  value(type: string): BusValue | null {
    switch (type) {
      case 'y':
        return this.byte()
      case 'b':
        return this.uint32() === 1
      case 'u':
        return this.uint32()
      case 's':
      case 'o':
        return this.chars(this.uint32())
      case 'g':
        return this.chars(this.byte())
      case 'v':
        return this.value(this.chars(this.byte()))
      default:
        return null
    }
  }
}
