// Never more than so many at once; who ends gives its place to whoever has waited longest.

export class AtOnce {
  private readonly waiting: (() => void)[] = []
  private atWork = 0

  constructor(private readonly most: number) {}

  async run(work: () => Promise<void>): Promise<void> {
    if (this.atWork < this.most) this.atWork++
    else await new Promise<void>((go) => this.waiting.push(go))
    try {
      await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.atWork--
      else next()
    }
  }
}
