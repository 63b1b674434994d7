// Canonical events as an Anthropic stream: block after block, each with one start, its deltas and one stop. Blocks
// never overlap, though the pieces of tool calls may come mixed: the first open call streams, those behind it wait.
import type { AnswerEvent, CanonicalUsage, JsonObject } from '../canonical'
import type { StreamWriter, WriteContext } from '../translation'
import { JsonEnd } from './json-end'
import { signedBlock } from './signature'
import { stopWord } from './stop-reasons'
import { wireUsage } from './token-counts'

interface Block {
  readonly kind: 'text' | 'thinking' | 'tool' | 'whole'
  /** `content_block` of its start. */
  readonly opening: JsonObject
  /** Of a tool call. */
  readonly call: number | null
  readonly json: JsonEnd | null
  /** Pieces that came while an earlier block was open. */
  held: string[]
  signature: string | null
  /** Nothing more belongs to it. */
  done: boolean
  started: boolean
  /** Some piece has been written. */
  hasPieces: boolean
}

class AnswerWriter implements StreamWriter {
  /** The first is the one the client sees; the others wait for it. */
  private readonly blocks: Block[] = []
  private index = 0
  private calls = 0
  private refused = false
  private usage: CanonicalUsage | null = null

  constructor(private readonly context: WriteContext) {}

  write(event: AnswerEvent): string {
    switch (event.kind) {
      case 'start':
        return this.start(event.id)
      case 'text':
        return this.say('text', event.text)
      case 'refusal':
        this.refused = true
        return this.say('text', event.text)
      case 'thinking':
        return this.say('thinking', event.text)
      case 'thinking-signature':
        return this.sign(event)
      case 'tool-call':
        this.calls++
        return this.push(newBlock('tool', { type: 'tool_use', id: event.id, name: event.name, input: {} }, event.index))
      case 'tool-arguments':
        return this.add(this.callBlock(event.index), event.piece)
      case 'tool-end':
        return this.endBlock(this.callBlock(event.index))
      case 'image':
        // The wire has no block for a made image, and its bytes as text would flood the conversation.
        return this.say('text', '[image]')
      case 'usage':
        this.usage = event.usage
        return ''
      case 'stop':
        return this.flush() + this.stop(event)
      case 'end':
        return sse('message_stop', {})
      case 'fault':
        return ''
    }
  }

  breakOff(): string {
    const [live] = this.blocks.splice(0)
    return live?.started ? indexed('content_block_stop', this.index, '') : ''
  }

  private start(id: string | null): string {
    return sse('message_start', {
      message: {
        id: id ?? `msg_${this.context.requestId}`,
        type: 'message',
        role: 'assistant',
        model: this.context.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    })
  }

  private stop({ reason, sequence }: { reason: Parameters<typeof stopWord>[0]; sequence: string | null }): string {
    const stop_reason = stopWord(reason, this.calls > 0, this.refused)
    return sse('message_delta', { delta: { stop_reason, stop_sequence: sequence }, usage: wireUsage(this.usage) })
  }

  private say(kind: 'text' | 'thinking', text: string): string {
    const last = this.blocks.at(-1)
    if (last?.kind === kind && !last.done) return this.add(last, text)
    const opening = kind === 'text' ? { type: kind, text: '' } : { type: kind, thinking: '', signature: '' }
    const block = newBlock(kind, opening, null)
    return this.push(block) + this.add(block, text)
  }

  private sign({ signature, issuer, redacted }: AnswerEvent & { kind: 'thinking-signature' }): string {
    const block = signedBlock('', signature, issuer, redacted)
    const last = this.blocks.at(-1)
    if (block.type === 'thinking' && last?.kind === 'thinking' && !last.done) {
      last.signature = String(block.signature)
      return this.endBlock(last)
    }
    if (block.type === 'redacted_thinking') return this.whole(block)
    const empty = newBlock('thinking', { type: 'thinking', thinking: '', signature: '' }, null)
    empty.signature = String(block.signature)
    return this.push(empty) + this.endBlock(empty)
  }

  private whole(opening: JsonObject): string {
    const block = newBlock('whole', opening, null)
    return this.push(block) + this.endBlock(block)
  }

  private callBlock(call: number): Block | undefined {
    return this.blocks.find((block) => block.call === call)
  }

  private push(block: Block): string {
    const last = this.blocks.at(-1)
    if (last !== undefined && last.kind !== 'tool') last.done = true
    this.blocks.push(block)
    return this.advance()
  }

  private add(block: Block | undefined, piece: string): string {
    // A call that was closed as complete can only be followed by white space.
    if (block === undefined || block.done || piece === '') return ''
    block.json?.feed(piece)
    if (block === this.blocks[0]) return this.delta(block, piece) + this.advance()
    block.held.push(piece)
    return this.advance()
  }

  private endBlock(block: Block | undefined): string {
    if (block === undefined) return ''
    block.done = true
    return this.advance()
  }

  private flush(): string {
    for (const block of this.blocks) block.done = true
    return this.advance()
  }

  /** Closes what is complete at the head, and lets the next block go on live. */
  private advance(): string {
    let out = ''
    for (;;) {
      const head = this.blocks[0]
      if (head === undefined) return out
      if (!head.started) out += this.open(head)
      const gaveWay = this.blocks.length > 1 && head.json?.reached === true
      if (!head.done && !gaveWay) return out
      out += this.close(head)
      this.blocks.shift()
      this.index++
    }
  }

  private open(block: Block): string {
    block.started = true
    const start = indexed('content_block_start', this.index, `,"content_block":${JSON.stringify(block.opening)}`)
    if (block.held.length === 0) return start
    const held = block.held.join('')
    block.held = []
    return start + this.delta(block, held)
  }

  private delta(block: Block, piece: string): string {
    block.hasPieces = true
    return indexed('content_block_delta', this.index, `${DELTAS[block.kind]}${JSON.stringify(piece)}}`)
  }

  private close(block: Block): string {
    // Clients parse what they collected: no piece at all would not be JSON.
    const input = block.kind === 'tool' && !block.hasPieces ? this.delta(block, '{}') : ''
    const signature = block.signature === null ? '' : this.signatureDelta(block.signature)
    return input + signature + indexed('content_block_stop', this.index, '')
  }

  private signatureDelta(signature: string): string {
    const delta = JSON.stringify({ type: 'signature_delta', signature })
    return indexed('content_block_delta', this.index, `,"delta":${delta}`)
  }
}

function newBlock(kind: Block['kind'], opening: JsonObject, call: number | null): Block {
  const json = kind === 'tool' ? new JsonEnd() : null
  return { kind, opening, call, json, held: [], signature: null, done: false, started: false, hasPieces: false }
}

/** What stands before a piece. Written by hand, for there is one to every token. Whole blocks have no pieces. */
const DELTAS: Readonly<Record<Block['kind'], string>> = {
  text: ',"delta":{"type":"text_delta","text":',
  thinking: ',"delta":{"type":"thinking_delta","thinking":',
  tool: ',"delta":{"type":"input_json_delta","partial_json":',
  whole: '',
}

const indexed = (type: string, index: number, members: string): string =>
  `event: ${type}\ndata: {"type":"${type}","index":${index}${members}}\n\n`

const sse = (type: string, members: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`

export const createStreamWriter = (context: WriteContext): StreamWriter => new AnswerWriter(context)
