import { eventually } from './eventually.js';

/** Requests that follow each other without a pause, in several rows at a time, until it is stopped. */
export class RunningLoad {
  /** Errors of requests, in their order. */
  readonly failures: unknown[] = [];
  private readonly finished: number[];
  private readonly rows: Promise<void>[];
  private isStopped = false;

  constructor(rows: number, request: () => Promise<void>) {
    this.finished = Array.from({ length: rows }, () => 0);
    this.rows = this.finished.map((_, row) => this.run(row, request));
  }

  /** Waits until every row has finished requests that began after this call. */
  async progress(): Promise<void> {
    const before = [...this.finished];
    await eventually(() => {
      const late = this.finished.filter((count, row) => count < (before[row] ?? 0) + 2);
      if (late.length > 0) throw new Error(`${late.length} rows have not gone on`);
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.rows);
  }

  private async run(row: number, request: () => Promise<void>): Promise<void> {
    while (!this.isStopped) {
      await request().catch((error: unknown) => this.failures.push(error));
      this.finished[row] = (this.finished[row] ?? 0) + 1;
    }
  }
}
