// Ids of tool calls in a request that is being built. Anthropic takes letters, digits, "_" and "-" only, and each id
// once; other dialects' ids may hold more, and some servers start over with "call_0" in every answer.

export class CallIds {
  private readonly used = new Set<string>()
  private readonly latest = new Map<string, string>()

  /** A call begins: its id on the wire. Results that follow with the same id belong to it. */
  open(id: string): string {
    const plain = id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call'
    let wire = plain
    for (let n = 2; this.used.has(wire); n++) wire = `${plain}_${n}`
    this.used.add(wire)
    this.latest.set(id, wire)
    return wire
  }

  /** The id of the call that a result answers; undefined where there was no such call. */
  of(id: string): string | undefined {
    return this.latest.get(id)
  }
}
