/** Prints events with their times to the terminal. */
export class Timeline {
  #started = performance.now();
  readonly #write: (text: string) => unknown;

  constructor(write: (text: string) => unknown = (text) => process.stdout.write(text)) {
    this.#write = write;
  }

  title(text: string): void {
    this.#started = performance.now();
    this.#write(`\n${text}\n`);
  }

  event(name: string, details = ''): void {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1);
    this.#write(`${seconds.padStart(7)} s  ${name.padEnd(22)} ${details}\n`);
  }

  /** Prints a verified claim. */
  holds(claim: string): void {
    this.#write(`         ✓ ${claim}\n`);
  }
}
