/** Prints the progress of a start or stop to the terminal. */
export class Progress {
  constructor(private readonly write: (text: string) => unknown = (t) => process.stdout.write(t)) {}

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  /** Prints `label … outcome (1.2 s)` when the work is done. */
  async step<T>(
    label: string,
    work: () => Promise<T>,
    outcome?: (result: T) => string,
  ): Promise<T> {
    const started = performance.now();
    const result = await work();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    this.line(`  ${label.padEnd(18)} ${outcome?.(result) ?? 'ready'} (${seconds} s)`);
    return result;
  }
}
