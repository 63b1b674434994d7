// Checks a JSON document as its bytes arrive and notes where the top-level values stand, without building objects.
// What the gateway must know of a request (the model's place, whether it streams) is read from the notes, and the
// body goes on as it came. Strict RFC 8259: what JSON.parse refuses is refused here, with the position.
import { Utf8Check } from './utf8-check'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null'

export interface JsonField {
  readonly kind: JsonKind
  /** Byte offsets of the value: `start` inclusive, `end` exclusive, quotes included. */
  readonly start: number
  readonly end: number
  /** Arrays only: an element is not an object. */
  readonly hasOtherThanObjects: boolean
}

export interface JsonNotes {
  readonly root: JsonKind
  /** Top-level members of the wanted names, and of wanted objects' members as "outer.inner". */
  readonly fields: ReadonlyMap<string, JsonField>
  /** Wanted names that occur more than once: which one counts would depend on the reader. */
  readonly repeated: ReadonlySet<string>
  /** Where the root object's first member begins. */
  readonly firstMember: number
}

export class JsonSyntaxError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(`${message} at byte ${position}`)
    this.name = 'JsonSyntaxError'
  }
}

export const MAX_DEPTH = 512

enum S {
  Value,
  FirstElement,
  FirstKey,
  Key,
  Colon,
  AfterValue,
  String,
  Escape,
  Hex,
  Literal,
  Minus,
  Zero,
  Int,
  Dot,
  Fraction,
  Exp,
  ExpSign,
  ExpDigits,
  Done,
}

const OBJECT = 1
const ARRAY = 2

export class JsonScanner {
  private state: S = S.Value
  private depth = 0
  /** Kind of each open container, from depth 1 on. */
  private readonly containers: number[] = [0]
  private offset = 0
  private readingKey = false
  private hexLeft = 0
  private literal = ''
  private literalAt = 0
  private root: JsonKind | null = null
  private firstMember = 0
  /** Only names that may be wanted are read. */
  private notesName = false
  /** Where the name stands in the chunk at hand, and what earlier chunks held of it. */
  private nameAt = 0
  private nameStart = ''
  private topName: string | null = null
  private innerName: string | null = null
  private topStart = 0
  private topKind: JsonKind = 'null'
  private topOther = false
  private innerStart = 0
  private innerKind: JsonKind = 'null'
  private readonly fields = new Map<string, JsonField>()
  private readonly repeated = new Set<string>()
  private readonly utf8 = new Utf8Check()

  /** `wanted`: names noted at the top level; "a.b" also notes member b of the top-level object a. */
  constructor(private readonly wanted: ReadonlySet<string>) {}

  feed(chunk: Buffer): void {
    if (!this.utf8.feed(chunk)) throw new JsonSyntaxError('invalid UTF-8', this.offset)
    this.nameAt = 0
    this.scan(chunk)
    if (this.readingKey && this.notesName) this.nameStart += chunk.toString('latin1', this.nameAt)
    this.offset += chunk.length
  }

  /** Throws JsonSyntaxError when the document is not complete. */
  end(): JsonNotes {
    if (!this.utf8.isWhole) throw new JsonSyntaxError('invalid UTF-8', this.offset)
    if (this.isNumberEnd()) this.endValue(this.offset)
    if (this.state !== S.Done || this.root === null) throw new JsonSyntaxError('the JSON ends too early', this.offset)
    return { root: this.root, fields: this.fields, repeated: this.repeated, firstMember: this.firstMember }
  }

  private scan(chunk: Buffer): void {
    const length = chunk.length
    let i = 0
    while (i < length) {
      const byte = chunk[i] as number
      switch (this.state) {
        case S.String: {
          let c = byte
          while (c >= 0x20 && c !== 0x22 && c !== 0x5c && ++i < length) c = chunk[i] as number
          if (i >= length) return
          if (c === 0x5c) this.state = S.Escape
          else if (c !== 0x22) this.fail('control character in a string', i)
          else if (this.readingKey) this.endKey(chunk, i)
          else this.endValue(this.offset + i + 1)
          i++
          break
        }
        case S.Escape:
          if (!isEscape(byte)) this.fail('unknown escape in a string', i)
          this.hexLeft = 4
          this.state = byte === 0x75 ? S.Hex : S.String
          i++
          break
        case S.Hex:
          if (!isHex(byte)) this.fail('broken \\u escape in a string', i)
          if (--this.hexLeft === 0) this.state = S.String
          i++
          break
        case S.Literal:
          if (byte !== this.literal.charCodeAt(this.literalAt)) this.fail('unknown word', i)
          i++
          if (++this.literalAt === this.literal.length) this.endValue(this.offset + i)
          break
        case S.Minus:
          this.state = byte === 0x30 ? S.Zero : byte >= 0x31 && byte <= 0x39 ? S.Int : this.fail('broken number', i)
          i++
          break
        case S.Dot:
          this.state = isDigit(byte) ? S.Fraction : this.fail('broken number', i)
          i++
          break
        case S.Exp:
          this.state =
            byte === 0x2b || byte === 0x2d ? S.ExpSign : isDigit(byte) ? S.ExpDigits : this.fail('broken number', i)
          i++
          break
        case S.ExpSign:
          this.state = isDigit(byte) ? S.ExpDigits : this.fail('broken number', i)
          i++
          break
        case S.Zero:
        case S.Int:
        case S.Fraction:
        case S.ExpDigits:
          if (this.continuesNumber(byte)) i++
          else this.endValue(this.offset + i)
          break
        default:
          if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) i++
          else this.structure(byte, i++)
      }
    }
  }

  /** A byte that is neither white space nor inside a string, number or word. */
  private structure(byte: number, i: number): void {
    switch (this.state) {
      case S.FirstElement:
        if (byte === 0x5d) return this.close(i)
        return this.beginValue(byte, i)
      case S.Value:
        return this.beginValue(byte, i)
      case S.FirstKey:
        if (byte === 0x7d) return this.close(i)
        return this.beginKey(byte, i)
      case S.Key:
        return this.beginKey(byte, i)
      case S.Colon:
        if (byte !== 0x3a) this.fail('":" expected', i)
        this.state = S.Value
        return
      case S.AfterValue:
        if (byte === 0x2c) {
          this.state = this.containers[this.depth] === OBJECT ? S.Key : S.Value
          return
        }
        if (byte === (this.containers[this.depth] === OBJECT ? 0x7d : 0x5d)) return this.close(i)
        this.fail('"," or the end of the list expected', i)
        return
      default:
        this.fail('text after the end of the JSON', i)
    }
  }

  private beginKey(byte: number, i: number): void {
    if (byte !== 0x22) this.fail('a name in double quotes expected', i)
    this.readingKey = true
    this.notesName = this.depth === 1 || (this.depth === 2 && this.noteInner())
    this.nameAt = i + 1
    this.state = S.String
  }

  private noteInner(): boolean {
    return this.topName !== null && this.containers[1] === OBJECT && this.topKind === 'object'
  }

  private beginValue(byte: number, i: number): void {
    const kind = kindOf(byte)
    if (kind === null) {
      this.fail('a value expected', i)
      return
    }
    const at = this.offset + i
    if (this.depth === 0) this.root = kind
    else if (this.depth === 1) {
      this.topStart = at
      this.topKind = kind
      this.topOther = false
    } else if (this.depth === 2) {
      this.innerStart = at
      this.innerKind = kind
      if (kind !== 'object') this.topOther = true
    }
    switch (kind) {
      case 'object':
      case 'array':
        if (this.depth >= MAX_DEPTH) this.fail(`nested more than ${MAX_DEPTH} deep`, i)
        if (this.depth === 0) this.firstMember = at + 1
        this.containers[++this.depth] = kind === 'object' ? OBJECT : ARRAY
        this.state = kind === 'object' ? S.FirstKey : S.FirstElement
        return
      case 'string':
        this.state = S.String
        return
      case 'number':
        this.state = byte === 0x2d ? S.Minus : byte === 0x30 ? S.Zero : S.Int
        return
      default:
        this.literal = kind
        this.literalAt = 1
        this.state = S.Literal
    }
  }

  private endKey(chunk: Buffer, i: number): void {
    this.readingKey = false
    this.state = S.Colon
    if (!this.notesName) return
    const name = decodeName(this.nameStart + chunk.toString('latin1', this.nameAt, i))
    this.nameStart = ''
    if (this.depth === 1) {
      this.topName = this.wanted.has(name) ? name : null
      this.innerName = null
    } else this.innerName = this.wanted.has(`${this.topName}.${name}`) ? `${this.topName}.${name}` : null
  }

  private close(i: number): void {
    this.depth--
    this.endValue(this.offset + i + 1)
  }

  private endValue(end: number): void {
    this.state = this.depth === 0 ? S.Done : S.AfterValue
    if (this.depth === 1 && this.containers[1] === OBJECT && this.topName !== null) {
      this.note(this.topName, { kind: this.topKind, start: this.topStart, end, hasOtherThanObjects: this.topOther })
      this.topName = null
    } else if (this.depth === 2 && this.innerName !== null) {
      this.note(this.innerName, { kind: this.innerKind, start: this.innerStart, end, hasOtherThanObjects: false })
      this.innerName = null
    }
  }

  private note(name: string, field: JsonField): void {
    if (this.fields.has(name)) this.repeated.add(name)
    this.fields.set(name, field)
  }

  private continuesNumber(byte: number): boolean {
    const digit = isDigit(byte)
    if (digit && this.state !== S.Zero) return true
    if (byte === 0x2e && (this.state === S.Zero || this.state === S.Int)) {
      this.state = S.Dot
      return true
    }
    if ((byte === 0x65 || byte === 0x45) && this.state !== S.ExpDigits) {
      this.state = S.Exp
      return true
    }
    return false
  }

  private isNumberEnd(): boolean {
    return (
      this.depth === 0 &&
      (this.state === S.Zero || this.state === S.Int || this.state === S.Fraction || this.state === S.ExpDigits)
    )
  }

  private fail(message: string, i: number): never {
    throw new JsonSyntaxError(message, this.offset + i)
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
const isEscape = (byte: number): boolean =>
  byte === 0x22 ||
  byte === 0x5c ||
  byte === 0x2f ||
  byte === 0x62 ||
  byte === 0x66 ||
  byte === 0x6e ||
  byte === 0x72 ||
  byte === 0x74 ||
  byte === 0x75

function kindOf(byte: number): JsonKind | null {
  if (byte === 0x22) return 'string'
  if (byte === 0x7b) return 'object'
  if (byte === 0x5b) return 'array'
  if (byte === 0x2d || isDigit(byte)) return 'number'
  if (byte === 0x74) return 'true'
  if (byte === 0x66) return 'false'
  return byte === 0x6e ? 'null' : null
}

/** Wanted names are ASCII: what other characters are read as is all the same. */
const decodeName = (raw: string): string => (raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw)
