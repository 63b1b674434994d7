// Gemini ties a function's answer to its call by name and order; other dialects need an id. This gives every call one,
// the same each time the conversation is sent, and finds the call that an answer belongs to.

interface OpenCall {
  readonly turn: number
  readonly givenId: string | null
  readonly id: string
  readonly name: string
}

export class CallBook {
  private readonly open: OpenCall[] = []
  private readonly used = new Set<string>()
  private turn = -1
  private count = 0

  /** `turn` counts the contents of the conversation. Gives the call's id, unique within it. */
  add(turn: number, givenId: string | null, name: string): string {
    if (turn !== this.turn) this.count = 0
    this.turn = turn
    const made = `call_${turn}_${this.count++}`
    // Some servers give the function's name as the id of each of its calls.
    const id = givenId === null || this.used.has(givenId) ? made : givenId
    this.used.add(id)
    this.open.push({ turn, givenId, id, name })
    return id
  }

  /** The call that was answered: by its id, else the first of that name in the latest turn. null when there is none. */
  answer(givenId: string | null, name: string | null): { readonly id: string; readonly name: string } | null {
    const byId = givenId === null ? null : this.take((call) => call.givenId === givenId || call.id === givenId)
    return byId ?? (name === null ? null : this.take((call) => call.name === name))
  }

  private take(matches: (call: OpenCall) => boolean): OpenCall | null {
    let found = -1
    let turn = -1
    for (const [at, call] of this.open.entries()) {
      if (call.turn > turn && matches(call)) {
        found = at
        turn = call.turn
      }
    }
    return found < 0 ? null : (this.open.splice(found, 1)[0] ?? null)
  }
}
